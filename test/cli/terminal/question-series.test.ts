// Going back in a series of questions: the functions that ask are run again with the answers that still count.
import { describe, expect, test } from 'vitest';
import { createQuestionSeries, WentBack } from '../../../src/cli/terminal/question-series.ts';

/** Asks three questions, of which each takes the next of these answers; `back` leaves it for the one before. */
async function ask(answers: readonly string[]) {
  const coming = [...answers];
  const asked: string[] = [];
  const series = createQuestionSeries();
  const question = (name: string) =>
    series.answer(async (undone) => {
      asked.push(undone === undefined ? name : `${name} (${undone})`);
      const answer = coming.shift() ?? '';
      if (answer !== 'back') return answer;
      if (!series.hasWayBack()) throw new Error('There is no question before.');
      throw new WentBack();
    });
  const result = await series
    .run(async () => {
      const first = await question('first');
      const others = await series.run(async () => [await question('second'), await question('third')]);
      return [first, ...others];
    })
    .catch((error: Error) => error.message);
  return { asked, result, series };
}

describe('a series of questions', () => {
  test('is asked once where nobody goes back', async () => {
    expect(await ask(['a', 'b', 'c'])).toMatchObject({
      asked: ['first', 'second', 'third'],
      result: ['a', 'b', 'c'],
    });
  });

  test('asks the question before again, with its answer, also where a part of it is a series', async () => {
    expect(await ask(['a', 'b', 'back', 'back', 'A', 'B', 'C'])).toMatchObject({
      asked: ['first', 'second', 'third', 'second (b)', 'first (a)', 'second', 'third'],
      result: ['A', 'B', 'C'],
    });
  });

  test('has no way back from its first question, nor outside of a series', async () => {
    const { result, series } = await ask(['a', 'back', 'back']);
    expect(result).toBe('There is no question before.');
    expect(series.hasWayBack()).toBe(false);
    expect(await series.answer(async (undone) => undone)).toBeUndefined();
  });
});

// Going back in a series of questions: the functions that ask are run again with the answers that still count.
import { describe, expect, test } from 'vitest';
import { createQuestionSeries, WentBack } from '../../../src/cli/terminal/question-series.ts';

/**
 * Runs a function whose questions take the next of these answers; `back` leaves a question for the one before.
 * @returns what a person sees, and what the function returns
 */
async function ask<R>(
  answers: readonly string[],
  askAll: (tools: {
    question: (name: string) => Promise<string>;
    print: (text: string) => void;
    series: ReturnType<typeof createQuestionSeries>;
  }) => Promise<R>,
) {
  const coming = [...answers];
  const shown: string[] = [];
  const series = createQuestionSeries();
  const question = (name: string) =>
    series.answer(name, async (previousAnswer) => {
      shown.push(previousAnswer === undefined ? `${name}?` : `${name}? (${previousAnswer})`);
      const answer = coming.shift() ?? '';
      if (answer !== 'back') return answer;
      if (!series.hasWayBack()) throw new Error('There is no question before.');
      throw new WentBack();
    });
  const print = (text: string) => series.print(() => shown.push(text));
  const result = await series
    .run(() => askAll({ question, print, series }))
    .catch((error: Error) => error.message);
  return { shown, result, series };
}

const askThree = (answers: readonly string[]) =>
  ask(answers, async ({ question, series }) => {
    const first = await question('first');
    const others = await series.run(async () => [await question('second'), await question('third')]);
    return [first, ...others];
  });

describe('a series of questions', () => {
  test('is asked once where nobody goes back', async () => {
    expect(await askThree(['a', 'b', 'c'])).toMatchObject({
      shown: ['first?', 'second?', 'third?'],
      result: ['a', 'b', 'c'],
    });
  });

  test('asks the question before again, with its answer, also where a part of it is a series', async () => {
    expect(await askThree(['a', 'b', 'back', 'back', 'A', 'B', 'C'])).toMatchObject({
      shown: ['first?', 'second?', 'third?', 'second? (b)', 'first? (a)', 'second?', 'third?'],
      result: ['A', 'B', 'C'],
    });
  });

  test('has no way back from its first question, nor outside of a series', async () => {
    const { result, series } = await askThree(['a', 'back', 'back']);
    expect(result).toBe('There is no question before.');
    expect(series.hasWayBack()).toBe(false);
    expect(await series.answer('first', async (previousAnswer) => previousAnswer)).toBeUndefined();
  });

  test('gives no answer to another question, where a question is not asked again', async () => {
    let run = 0;
    const { shown, result } = await ask(
      ['https://example.com', 'client', 'back', 'CLIENT', 'secret'],
      async ({ question }) => {
        run += 1;
        const dashboard = run === 1 ? await question('dashboard') : 'found';
        return [dashboard, await question('client ID'), await question('secret')];
      },
    );
    expect(shown).toEqual(['dashboard?', 'client ID?', 'secret?', 'client ID? (client)', 'secret?']);
    expect(result).toEqual(['found', 'CLIENT', 'secret']);
  });

  test('offers no answer of another question, and takes none that follows one', async () => {
    let run = 0;
    const { shown, result } = await ask(
      ['a', 'b', 'c', 'back', 'new', 'B', 'C', 'D'],
      async ({ question }) => {
        run += 1;
        const first = await question(run === 1 ? 'first' : 'other first');
        return [first, await question('second'), await question('third'), await question('fourth')];
      },
    );
    expect(shown).toEqual([
      'first?',
      'second?',
      'third?',
      'fourth?',
      'other first?',
      'second?',
      'third?',
      'fourth?',
    ]);
    expect(result).toEqual(['new', 'B', 'C', 'D']);
  });

  test('prints nothing again before a question that keeps its answer', async () => {
    const { shown } = await ask(['a', 'b', 'back', 'B', 'c'], async ({ question, print }) => {
      print('before first');
      await question('first');
      print('before second');
      await question('second');
      print('before third');
      await question('third');
      print('after');
    });
    expect(shown).toEqual([
      'before first',
      'first?',
      'before second',
      'second?',
      'before third',
      'third?',
      'before second',
      'second? (b)',
      'before third',
      'third?',
      'after',
    ]);
  });

  test('prints what comes before another question, and what comes before an error', async () => {
    let run = 0;
    const { shown, result } = await ask(['a', 'b', 'back', 'new', 'back'], async ({ question, print }) => {
      run += 1;
      print(`start ${run}`);
      await question(run === 2 ? 'other first' : 'first');
      if (run === 3) throw new Error('Unreachable.');
      await question('second');
      if (run === 1) await question('third');
    });
    expect(shown).toEqual([
      'start 1',
      'first?',
      'second?',
      'third?',
      'start 2',
      'other first?',
      'second?',
      'start 3',
      'first?',
    ]);
    expect(result).toBe('Unreachable.');
  });
});

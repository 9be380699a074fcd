// `--jq`: what jq makes of what a command prints, what it says of an expression that it does not understand, and that a
// filter which never ends is ended by a signal.
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/cli/command/outcome.ts';
import { PLAIN } from '../../../src/cli/terminal/color.ts';
import { createFilter } from '../../../src/cli/terminal/jq.ts';
import { render } from '../../../src/cli/terminal/render.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

const never = new AbortController().signal;

const list = (values: unknown[], lines?: unknown[]): Outcome => ({
  kind: 'list',
  json: { items: values },
  ...(lines && { lines }),
  table: { columns: [], rows: [] },
  empty: '',
});

async function printed(expression: string, outcome: Outcome, isTerminal = false): Promise<string> {
  const written: string[] = [];
  const out = {
    isTerminal,
    columns: 80,
    write: (text: string | Uint8Array) => void written.push(String(text)),
  };
  const filter = createFilter(expression, never);
  await render(outcome, out, PLAIN, { json: true, select: undefined, filter, nowMs: 0 });
  return written.join('');
}

describe('a result', () => {
  test('is text as it is, or JSON, on a line of its own', async () => {
    const outcome = list([{ n: 1, name: 'Ada "A"' }, { name: 'zwei\nZeilen' }]);
    expect(
      await printed('.items[].name, "", .items[0], empty, ([env[]] | any(startswith("/root")))', outcome),
    ).toBe('Ada "A"\nzwei\nZeilen\n\n{"n":1,"name":"Ada \\"A\\""}\nfalse\n');
    expect(await printed('empty', outcome)).toBe('');
  });

  test('keeps every digit of a number', async () => {
    expect(await createFilter('.n', never).apply('{"n":20000000000000000001}')).toBe('20000000000000000001');
  });

  test('objects on a line each are filtered one after the other', async () => {
    expect(await printed('.id', list([], [{ id: 'a' }, { id: 'b' }]))).toBe('a\nb\n');
  });

  test.skipIf(!SLOW)('a terminal obeys nothing in it', async () => {
    const outcome = list(['a\u001b[31m\u202e\u009b']);
    expect(await printed('.items[0], .items', outcome, true)).toBe(
      'a\\u{1b}[31m\\u{202e}\\u{9b}\n["a\\u001b[31m\\u202e\\u009b"]\n',
    );
    expect(await printed('.items[0]', outcome)).toBe('a\u001b[31m\u202e\u009b\n');
  });
});

describe('an expression', () => {
  test.each(sampleOf(['--help', '-r', '-n input'], 3))(
    'that looks like an option of jq is none (%s)',
    async (expression) => {
      await expect(createFilter(expression, never).check()).rejects.toMatchObject({
        facts: { code: 'jq_invalid', exit: 2 },
        message: expect.stringContaining(`"${expression}" is not a valid jq expression`),
      });
    },
  );

  test.skipIf(!SLOW)('that begins with a minus is one', async () => {
    expect(await createFilter('-1 + .', never).apply('3')).toBe('2');
  });

  test('that jq does not understand is refused, and the place is named', async () => {
    await expect(createFilter('.items[', never).check()).rejects.toMatchObject({
      message:
        '".items[" is not a valid jq expression: syntax error, unexpected end of file at line 1, column 7.',
      facts: { code: 'jq_invalid', exit: 2 },
    });
    await expect(createFilter('.items[] | input', never).check()).resolves.toBeUndefined();
  });

  test.runIf(SLOW)('that reads a file finds none', async () => {
    await expect(createFilter('include "a"; 1', never).check()).rejects.toMatchObject({
      facts: { code: 'jq_invalid' },
    });
  });

  test('that does not fit what is printed is an error of its own', async () => {
    await expect(printed('.items.x', list([]))).rejects.toMatchObject({
      message:
        'The command succeeded, but jq could not filter its output: Cannot index array with string ("x").',
      facts: { code: 'jq_failed', exit: 1 },
    });
  });

  test.runIf(SLOW)('that breaks jq down does not break the next one', async () => {
    const filter = createFilter('def f: 1 + f; f', never);
    await expect(filter.apply('{}')).rejects.toMatchObject({ facts: { code: 'jq_failed' } });
    expect(await createFilter('.', never).apply('1')).toBe('1');
  });

  test.skipIf(!SLOW)('that never ends is ended by a signal', async () => {
    const signal = new AbortController();
    const filter = createFilter('last(repeat(1))', signal.signal);
    await filter.check();
    const running = filter.apply('{}');
    signal.abort(new Error('Interrupted.'));
    await expect(running).rejects.toThrow('Interrupted.');
  });
});

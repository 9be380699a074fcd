// Sentences at a terminal are broken between words, and what is to be pasted is not broken at all.
import { describe, expect, test } from 'vitest';
import { PLAIN } from '../../../src/cli/terminal/color.ts';
import { createProgress } from '../../../src/cli/terminal/progress.ts';
import { wrapLine } from '../../../src/cli/terminal/text-width.ts';

const SENTENCE =
  'The access token belongs to another user, so the document cannot be sent for Ada Lovelace; log in as the user it belongs to.';

describe('a line for a terminal', () => {
  test('is broken between words, and no line is wider', () => {
    for (let columns = 12; columns <= 140; columns += 1) {
      const lines = wrapLine(SENTENCE, columns).split('\n');
      expect(lines.join(' ')).toBe(SENTENCE);
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
    }
  });

  test('keeps a command in backquotes in one piece', () => {
    const command = '`esign tx download 01a205f8-2d81-70ec-b95b-8c0f95802439`';
    expect(wrapLine(`To download the sealed documents, run ${command}.`, 60).split('\n')).toEqual([
      'To download the sealed documents, run',
      `${command}.`,
    ]);
  });

  test('that begins with a blank is kept, because it is to be pasted', () => {
    const line = '  export ESIGN_BASE_URL=http://127.0.0.1:4000 ESIGN_APP_URL=http://127.0.0.1:4000';
    expect(wrapLine(line, 40)).toBe(line);
  });

  test('is measured without colors and with the width of each sign', () => {
    expect(wrapLine('\u001b[31merror:\u001b[39m abc', 10)).not.toContain('\n');
    expect(wrapLine('契約書 契約書', 10).split('\n')).toEqual(['契約書', '契約書']);
    expect(wrapLine('e\u0301e\u0301 e\u0301e\u0301', 5)).not.toContain('\n');
  });

  test('is left to a pipe as it is', () => {
    expect(wrapLine(SENTENCE, undefined)).toBe(SENTENCE);
  });
});

test.each([
  [true, 1],
  [false, 0],
])('notes and warnings are broken at a terminal alone: %s', (isTerminal, breaks) => {
  const written: string[] = [];
  const err = {
    write: (text: string | Uint8Array) => void written.push(String(text)),
    isTerminal,
    columns: 80,
  };
  const progress = createProgress(err, PLAIN, { silent: false, spinner: false });
  progress.note(SENTENCE);
  progress.warn(SENTENCE);
  for (const text of written) expect(text.trimEnd().split('\n').length - 1).toBe(breaks);
});

import { describe, expect, test } from 'vitest';
import { blocksOf } from '../../../src/cli/describe/blocks.ts';
import { escaped, roff, section } from '../../../src/cli/describe/roff.ts';

const EDITION = { version: '1.2.3', date: '2026-01-02' };

/** Lines of the description. */
const described = (text: string): string[] =>
  roff(
    { name: 'esign-x', section: 1, summary: 'x', sections: [section('DESCRIPTION', text)], seeAlso: [] },
    EDITION,
  )
    .split('.SH DESCRIPTION\n')[1]
    ?.trimEnd()
    .split('\n') ?? [];

test('nothing that is written means anything to the formatter', () => {
  expect(escaped('a-b \\n "x" \'y\' `z` ^ ~ é … 😀')).toBe(
    'a\\-b \\en \\(dqx\\(dq \\(aqy\\(aq \\(gaz\\(ga \\(ha \\(ti \\[u00E9] \\[u2026] \\[u1F600]',
  );
  expect(described('.br is no request')).toEqual(['\\&.br is no request']);
  expect(described("  'so  it\n  .de")).toEqual(['.RS 4', '.nf', '\\(aqso  it', '\\&.de', '.fi', '.RE']);
  expect(described('`tx show`, no more')).toEqual(['\\fBtx show\\fR, no more']);
});

test('no line is long, and none that was broken begins like a request', () => {
  const text = Array.from({ length: 60 }, (_, index) => `.word${index}`).join(' ');
  for (const line of described(text)) {
    expect(line.length).toBeLessThanOrEqual(80);
    expect(line).not.toMatch(/^[.']/);
  }
});

test('the day and the version stand in the head', () => {
  const page = { name: 'esign', section: 1, summary: 'x', sections: [], seeAlso: ['esign(7)'] } as const;
  expect(roff({ ...page, sections: [], seeAlso: [] }, EDITION)).toContain(
    '\n.TH ESIGN 1 2026-01-02 "esign 1.2.3" "esign"\n.SH NAME\nesign \\- x\n',
  );
});

describe('plain text is read for what it is', () => {
  test('paragraphs, terms, lines', () => {
    expect(blocksOf('One\ntwo.\n\n  a     x\n  b, c  y\n        z\n\n  $ run\n    this')).toEqual([
      { kind: 'text', text: 'One two.' },
      {
        kind: 'terms',
        rows: [
          ['a', 'x'],
          ['b, c', 'y z'],
        ],
      },
      { kind: 'lines', lines: ['$ run', '  this'] },
    ]);
  });

  test('terms that are longer than their column, also as the first', () => {
    const lines = ['  LONGER, THAN=it', '            is', '  A         a', '  X, Y, Z', '            xyz'];
    expect(blocksOf(lines.join('\n'))).toEqual([
      {
        kind: 'terms',
        rows: [
          ['LONGER, THAN=it', 'is'],
          ['A', 'a'],
          ['X, Y, Z', 'xyz'],
        ],
      },
    ]);
  });

  test('an object in JSON is no list of terms', () => {
    expect(blocksOf('  {\n    "a": {\n      "b": 1\n    }\n  }')).toEqual([
      { kind: 'lines', lines: ['{', '  "a": {', '    "b": 1', '  }', '}'] },
    ]);
  });
});

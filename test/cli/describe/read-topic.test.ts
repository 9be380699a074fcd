// Topics are read from Markdown, and each table that one names is listed from the code.
import { expect, test } from 'vitest';
import { readTopic, tablesIn } from '../../../src/cli/describe/topics/read-topic.ts';
import { TABLES } from '../../../src/cli/describe/topics/tables.ts';
import { TOPICS } from '../../../src/cli/describe/topics.ts';

const MARKDOWN = `A paragraph with \`code\`
and a second line.

- \`--option N\` what it is,
  and more
- \`other\` short

\`\`\`
{
  "kept": 1

}
\`\`\`

After it.

## NEXT PART

<!-- table: codes -->

\`\`\`
esign help
\`\`\`
`;

test('reads paragraphs, terms, kept lines, tables and sections', () => {
  const tables = new Map([['codes', [['0', 'Success'] as const]]]);
  expect(readTopic(MARKDOWN, 'FIRST', tables)).toEqual([
    {
      title: 'FIRST',
      blocks: [
        { kind: 'text', text: 'A paragraph with `code` and a second line.' },
        {
          kind: 'terms',
          rows: [
            ['--option N', 'what it is, and more'],
            ['other', 'short'],
          ],
        },
        { kind: 'lines', lines: ['{', '  "kept": 1', '', '}'] },
        { kind: 'text', text: 'After it.' },
      ],
    },
    {
      title: 'NEXT PART',
      blocks: [
        { kind: 'terms', rows: [['0', 'Success']] },
        { kind: 'lines', lines: ['esign help'] },
      ],
    },
  ]);
});

test('each table of a topic is there, and each one that is there is in a topic', () => {
  const named = TOPICS.flatMap(({ markdown }) => tablesIn(markdown));
  expect(named.sort()).toEqual(Object.keys(TABLES).sort());
});

test('no line of a topic looks like a part of it and is none', () => {
  for (const { name, markdown } of TOPICS) {
    const rest = markdown
      .replaceAll(/^```\n[\s\S]*?^```\n/gm, '')
      .replaceAll(/^## [A-Z -]+$/gm, '')
      .replaceAll(/^- `[^`]+` \S/gm, '')
      .replaceAll(/^<!-- table: [a-z-]+ -->$/gm, '');
    expect([name, rest.match(/^(?:```|#|<!--|[-*+] |\d+\. ).*/gm)]).toEqual([name, null]);
  }
});

// The report as HTML has its style as the file has it: nothing in it is escaped.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { htmlReport } from '../../../../src/cli/commands/verify/reports.ts';
import { acceptanceOf } from '../../../../src/cli/commands/verify/requirements.ts';

const STYLE = new URL('../../../../src/cli/commands/verify/html-report.css', import.meta.url);

test('contains its style unchanged', async () => {
  const report = htmlReport([], acceptanceOf({ accept: [], require: undefined }));
  expect(report).toContain(`<style>\n${await readFile(STYLE, 'utf8')}</style>`);
});

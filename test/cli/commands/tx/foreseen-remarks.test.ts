// What the plan says of Word documents before they are sent: only what this machine decides.
import { expect, test } from 'vitest';
import type { CommandContext } from '../../../../src/cli/command/context.ts';
import type { LocalFile } from '../../../../src/cli/input/documents.ts';
import { withForeseenRemarks } from '../../../../src/cli/sending/dry-run.ts';
import type { Plan } from '../../../../src/cli/sending/plan.ts';

const FILES = [{ type: 'pdf' }, { type: 'docx' }] as LocalFile[];
const PLAN = { files: [{ name: 'a.pdf' }, { name: 'b.docx', remarks: [] }] } as unknown as Plan;

async function codes(ESIGN_SOFFICE: string, isSandbox: boolean) {
  const process = { environment: { variables: { ESIGN_SOFFICE } } };
  const plan = await withForeseenRemarks(
    { process } as unknown as CommandContext,
    PLAN,
    { isSandbox },
    FILES,
  );
  return plan.files.map(({ remarks = [] }) => remarks.map(({ code }) => code));
}

test('the layout is approximate in a sandbox without LibreOffice', async () => {
  expect(await codes('off', true)).toEqual([[], ['approximate_layout']]);
});

test('nothing is said where LibreOffice is there, nor of a service elsewhere', async () => {
  expect(await codes(globalThis.process.execPath, true)).toEqual([[], []]);
  expect(await codes('off', false)).toEqual([[], []]);
});

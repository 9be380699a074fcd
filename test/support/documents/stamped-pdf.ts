// Stamped PDFs for tests: a field to stamp, the stamped file, and its results from qpdf and poppler.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StampField, StampPlan } from '../../../src/pdf/write/plan.ts';
import { stampPdf } from '../../../src/pdf/write/stamp-pdf.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const stampField = (more: Partial<StampField> = {}): StampField => ({
  page: 0,
  x: 50,
  y: 50,
  width: 200,
  height: 20,
  type: 'text',
  value: '',
  label: 'Field',
  font_family: 'Helvetica',
  font_size: 12,
  font_color: '#000000',
  is_bold: false,
  is_italic: false,
  is_underline: false,
  ...more,
});

export async function stampedPdf(pdf: Uint8Array, fields: StampField[] = [], more: Partial<StampPlan> = {}) {
  const result = await stampPdf(pdf, { fields, ...more });
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result;
}

/** Returns the output of a program for a file; `FILE` stands for it among the arguments. */
export async function outputOf(pdf: Uint8Array, program: string, ...options: string[]): Promise<string> {
  const path = join(await temporaryFolder(), 'file.pdf');
  writeFileSync(path, pdf);
  return execFileSync(
    program,
    options.map((one) => (one === 'FILE' ? path : one)),
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 256 * 1024 * 1024,
    },
  );
}

/** Throws with the findings of qpdf. */
export async function expectSound(pdf: Uint8Array): Promise<void> {
  await outputOf(pdf, 'qpdf', '--check', 'FILE');
}

export const textOf = (pdf: Uint8Array): Promise<string> =>
  outputOf(pdf, 'pdftotext', '-enc', 'UTF-8', 'FILE', '-');

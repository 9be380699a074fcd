// Converts DOCX with LibreOffice where it is installed, and with our own layout where it is not, or fails. LibreOffice receives
// only files that were checked first, and its result is checked like an upload.
import { sha256Of } from '../../common/sha256.ts';
import type { Replaced } from '../fonts/alternatives.ts';
import { DOCUMENT_LIMITS } from '../limits.ts';
import type { PdfRemark } from '../remarks.ts';
import { BUSY, type JobAnswer, type RunJob, type Source } from './engine.ts';
import { drawsFormulas, findOffice, type OfficeSetting } from './office.ts';
import type { OfficeWorker } from './office-process.ts';

type Office = OfficeWorker & { drawsFormulas: boolean };

export type WithOffice = { run: RunJob; close(reason?: unknown): void };

/** @param run runs all other jobs */
export function withOffice(run: RunJob, setting: OfficeSetting): WithOffice {
  let worker: Promise<Office | undefined> | undefined;
  let closing: { reason: unknown } | undefined;

  async function open(): Promise<Office | undefined> {
    const program = await findOffice(setting);
    if (program === undefined) return undefined;
    // Most machines have no LibreOffice, and most engines convert nothing.
    const { createOfficeWorker } = await import('./office-process.ts');
    const opened = createOfficeWorker({ program });
    if (closing) opened.close(closing.reason);
    return { ...opened, drawsFormulas: await drawsFormulas(program) };
  }

  return {
    async run(job, source, owner) {
      if (job.do !== 'convert' || job.type !== 'docx') return run(job, source, owner);
      worker ??= open();
      const office = await worker;
      const answer = office && (await convertByOffice(office, run, source, owner));
      return answer ?? run(job, source, owner);
    },
    close(reason) {
      closing = { reason };
      void worker?.then((opened) => opened?.close(reason));
    },
  };
}

/** Converts with LibreOffice. Returns undefined where its result cannot be used. */
async function convertByOffice(
  office: Office,
  run: RunJob,
  source: Source,
  owner: string,
): Promise<JobAnswer | undefined> {
  const checked = await run({ do: 'check' }, source, owner);
  if (!checked.result.ok || !checked.bytes) return checked;
  if (checked.result.hasFormulas && !office.drawsFormulas) return undefined;
  const converted = await office.convert(checked.bytes, owner);
  if (converted === 'busy') return BUSY;
  if (converted === 'failed') return undefined;
  const { pdf } = converted;
  const output: Source = { sha256: sha256Of(pdf), bytes: async () => pdf };
  const job = { do: 'inspect', maxPages: DOCUMENT_LIMITS.docxPages, isConverted: true } as const;
  const inspected = await run(job, output, owner);
  if (inspected.result.ok) {
    // Our own layout has more fonts, and names the text that none of them has.
    if (inspected.result.lacksGlyphs) return undefined;
    const fonts = checked.result.fonts && (await remarksOnFonts(checked.result.fonts, pdf));
    const remarks = [
      ...(checked.result.remarks ?? []),
      ...(fonts ?? []),
      ...(inspected.result.remarks ?? []),
    ];
    return { result: { ...inspected.result, remarks }, bytes: inspected.bytes ?? pdf };
  }
  if (inspected.result.reason === 'busy') return BUSY;
  return inspected.result.reason === 'too_many_pages' ? inspected : undefined;
}

async function remarksOnFonts(fonts: Replaced, pdf: Uint8Array): Promise<PdfRemark[]> {
  if (fonts.replaced.length === 0) return [];
  const { replacedRemarks } = await import('../fonts/alternatives.ts');
  return replacedRemarks(fonts, pdf);
}

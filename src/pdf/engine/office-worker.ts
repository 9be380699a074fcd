// The queue of conversions by LibreOffice: one at a time, in parallel to all other work on documents.

import { ENGINE_LIMITS } from '../limits.ts';
import { type Conversion, convertWithOffice } from './office-process.ts';
import { measureSlowness } from './slowness.ts';
import { createWaitingLine } from './waiting-line.ts';

/** `failed` includes conversions that took too long. */
export type OfficeAnswer = { pdf: Uint8Array } | 'failed' | 'busy';

export type OfficeWorker = {
  convert(docx: Uint8Array, owner: string): Promise<OfficeAnswer>;
  /** Ends the conversion in progress. All conversions reject with `reason`, or are answered with `busy` where none is given. */
  close(reason?: unknown): void;
};

export type OfficeWorkerOptions = {
  program: string;
  /** Processor time, of a machine that is not slow. */
  timeMs?: number | undefined;
  clockMs?: number | undefined;
  waitMs?: number | undefined;
};

export function createOfficeWorker({
  program,
  timeMs = ENGINE_LIMITS.officeMs,
  clockMs = ENGINE_LIMITS.officeClockMs,
  waitMs = ENGINE_LIMITS.waitMs,
}: OfficeWorkerOptions): OfficeWorker {
  let conversion: Conversion | undefined;
  let slowness: number | undefined;

  const line = createWaitingLine<Uint8Array, OfficeAnswer>({
    async run(docx) {
      slowness ??= measureSlowness();
      conversion = convertWithOffice(program, docx, { timeMs: timeMs * slowness, clockMs });
      const pdf = await conversion.pdf;
      return pdf ? { pdf } : 'failed';
    },
    busy: 'busy',
    waitMs,
  });

  return {
    convert: (docx, owner) => line.wait(docx, owner),
    close(reason) {
      line.close(reason);
      conversion?.kill();
    },
  };
}

// Those who wait for LibreOffice: one conversion at a time, beside all other work on documents and never in its way.

import { ENGINE_LIMITS } from '../limits.ts';
import { type Conversion, convertWithOffice } from './office-process.ts';
import { createQueue } from './queue.ts';

/** `failed` also where it took too long. */
export type OfficeAnswer = { pdf: Uint8Array } | 'failed' | 'busy';

export type OfficeLane = {
  convert(docx: Uint8Array, owner: string): Promise<OfficeAnswer>;
  /** Ends what is under way, and rejects with `reason`, or answers `busy` where none is given. */
  close(reason?: unknown): void;
};

export type OfficeLaneOptions = { program: string; timeMs?: number | undefined; waitMs?: number | undefined };

type Waiting = {
  docx: Uint8Array;
  owner: string;
  resolve(answer: OfficeAnswer): void;
  reject(error: unknown): void;
};

export function createOfficeLane({
  program,
  timeMs = ENGINE_LIMITS.officeMs,
  waitMs = ENGINE_LIMITS.waitMs,
}: OfficeLaneOptions): OfficeLane {
  const queue = createQueue<Waiting>();
  let current: Waiting | undefined;
  let conversion: Conversion | undefined;
  let isClosed = false;

  async function work(): Promise<void> {
    if (current) return;
    for (current = queue.take(); current; current = queue.take()) {
      conversion = convertWithOffice(program, current.docx, timeMs);
      const { resolve, reject } = current;
      await conversion.pdf.then((pdf) => resolve(pdf ? { pdf } : 'failed'), reject);
    }
  }

  return {
    convert(docx, owner) {
      if (isClosed) return Promise.resolve('busy');
      return new Promise((resolve, reject) => {
        const waiting: Waiting = { docx, owner, resolve, reject };
        const tooLong = setTimeout(() => {
          if (current === waiting) return;
          queue.remove(owner, waiting);
          resolve('busy');
        }, waitMs);
        tooLong.unref();
        queue.add(owner, waiting);
        void work();
      });
    },
    close(reason) {
      isClosed = true;
      for (const { resolve, reject } of [...queue.clear(), ...(current ? [current] : [])])
        if (reason === undefined) resolve('busy');
        else reject(reason);
      conversion?.kill();
    },
  };
}

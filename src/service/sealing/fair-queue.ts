// Decides whose documents are processed next. Companies take turns, document by document: a transaction with a hundred documents delays the
// next company by one of them. A process works on as many documents at a time as it may use processors, because each takes memory in
// proportion to it, and on as many transactions of a company; what waits takes none.
import { type RefusalOf, refusal } from '../../api/contract/problems.ts';
import { createWaitingLine } from '../../pdf/engine/waiting-line.ts';

/** Works on one document when the company has its turn, which comes too late where the documents are busy. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T | Busy>;

type Busy = { ok: false; refusal: RefusalOf<'documents_busy'> };

export type FairQueue = {
  /** Runs work of a company in the order in which it was asked for, as much of it at a time as documents. */
  run<T>(company: string, work: (inTurn: InTurn) => Promise<T>): Promise<T>;
};

/**
 * Work waits no longer than this for a turn, which comes after one of each other company; a document of a thousand pages
 * takes a second or two.
 */
const TURN_WITHIN_MS = 5 * 60 * 1000;

/** @param atOnce how many documents are processed at a time */
export function createFairQueue(atOnce: number): FairQueue {
  const companies = new Map<string, Company>();
  const busy: Busy = { ok: false, refusal: refusal('documents_busy') };
  const line = createWaitingLine<() => Promise<unknown>, unknown>({
    run: (work) => work(),
    busy,
    waitMs: TURN_WITHIN_MS,
    atOnce,
  });
  return {
    async run(name, work) {
      const company = companies.get(name) ?? { running: 0, waiting: [] };
      companies.set(name, company);
      if (company.running < atOnce) company.running += 1;
      // A transaction that ends passes its place on.
      else await new Promise<void>((resolve) => company.waiting.push(resolve));
      try {
        return await work(<T>(document: () => Promise<T>) => line.wait(document, name) as Promise<T | Busy>);
      } finally {
        const next = company.waiting.shift();
        if (next) next();
        else company.running -= 1;
        if (company.running === 0) companies.delete(name);
      }
    },
  };
}

type Company = {
  /** It counts the transactions that are being sealed. */
  running: number;
  /** Each begins one of the next transactions. */
  waiting: (() => void)[];
};

// Decides whose documents are processed next. Companies take turns, document by document: a transaction with a hundred documents delays the
// next company by one of them. A process works on as many documents at a time as it may use processors, because each takes memory in
// proportion to it, and on as many transactions of a company; what waits takes none.
import { createWaitingLine } from '../../pdf/engine/waiting-line.ts';
import { type Result, refuse } from '../context.ts';

/** Works on one document when the company has its turn. */
export type InTurn = <T>(work: () => Promise<Result<T>>) => Promise<Result<T>>;

export type CompanyQueue = {
  /** Runs work of a company in the order in which it was asked for, as much of it at a time as documents. */
  run<T>(company: string, work: (inTurn: InTurn) => Promise<T>): Promise<T>;
};

/**
 * The longest wait for a turn, which comes after one of each other company; a document of a thousand pages takes a second or
 * two.
 */
const TURN_WITHIN_MS = 5 * 60 * 1000;

/** @param atOnce how many documents are processed at a time */
export function createCompanyQueue(atOnce: number): CompanyQueue {
  const companies = new Map<string, Company>();
  const line = createWaitingLine<() => Promise<Result<unknown>>, Result<unknown>>({
    run: (work) => work(),
    busy: refuse('documents_busy'),
    waitMs: TURN_WITHIN_MS,
    atOnce,
  });
  return {
    async run(name, work) {
      const company = companies.get(name) ?? { running: 0, waiting: [] };
      companies.set(name, company);
      if (company.running < atOnce) company.running += 1;
      // Who ends passes its place on.
      else await new Promise<void>((resolve) => company.waiting.push(resolve));
      try {
        return await work((document) => line.wait(document, name) as ReturnType<typeof document>);
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
  /** Transactions that are being sealed. */
  running: number;
  /** Begin the next ones. */
  waiting: (() => void)[];
};

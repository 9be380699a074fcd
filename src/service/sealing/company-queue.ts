// Decides whose documents are processed next. Companies take turns, document by document, and of each company one transaction
// is sealed at a time: one with a hundred documents delays the next company by one of them. A process works on one document at
// a time, because that takes memory in proportion to it; what waits takes none.
import { createWaitingLine } from '../../pdf/engine/waiting-line.ts';
import { type Result, refuse } from '../context.ts';

/** Works on one document when the company has its turn. */
export type InTurn = <T>(work: () => Promise<Result<T>>) => Promise<Result<T>>;

export type CompanyQueue = {
  /** Runs work of a company after all its earlier work. */
  afterOthers<T>(company: string, work: (inTurn: InTurn) => Promise<T>): Promise<T>;
};

/**
 * The longest wait for a turn, which comes after one of each other company; a document of a thousand pages takes a second or
 * two.
 */
const TURN_WITHIN_MS = 5 * 60 * 1000;

export function createCompanyQueue(): CompanyQueue {
  const last = new Map<string, Promise<void>>();
  const line = createWaitingLine<() => Promise<Result<unknown>>, Result<unknown>>({
    run: (work) => work(),
    busy: refuse('documents_busy'),
    waitMs: TURN_WITHIN_MS,
  });
  return {
    afterOthers(company, work) {
      const inTurn: InTurn = (one) => line.wait(one, company) as ReturnType<typeof one>;
      const done = (last.get(company) ?? Promise.resolve()).then(() => work(inTurn));
      const next = () => {
        if (last.get(company) === settled) last.delete(company);
      };
      const settled: Promise<void> = done.then(next, next);
      last.set(company, settled);
      return done;
    },
  };
}

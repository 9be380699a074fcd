// One transaction is completed at a time in a process: sealing takes memory in proportion to the documents, and whoever waits
// here holds none. What seals is loaded when the first transaction is completed.
import type { Completing, RequestContext, Result } from '../context.ts';
import type { SealedDocument } from '../domain/transaction.ts';
import type { SealingSource } from './sealing.ts';

export type Seal = (context: RequestContext, completing: Completing) => Promise<Result<SealedDocument[]>>;

export function createCompletion(sealing: SealingSource): Seal {
  let last: Promise<unknown> = Promise.resolve();
  return (context, completing) => {
    const turn = last.then(async () => {
      const { sealDocuments } = await import('./complete.ts');
      return sealDocuments(context, completing, sealing);
    });
    last = turn.catch(() => undefined);
    return turn;
  };
}

// Completes one transaction at a time in a process: sealing takes memory in proportion to the documents, and calls that wait
// here hold none. What seals is loaded when the first transaction is completed. Whatever fails is a refusal with a reason.
import { type Completing, type RequestContext, type Result, refuse } from '../context.ts';
import type { SealedDocument } from '../domain/transaction.ts';
import { storageRefusalOf } from '../storage-refusal.ts';
import type { SealingSource } from './sealing.ts';

export type Seal = (context: RequestContext, completing: Completing) => Promise<Result<SealedDocument[]>>;

/** @param onError is given each error that was not foreseen, and the transaction that it happened to */
export function createCompletion(
  sealing: SealingSource,
  onError: (error: unknown, id: string) => void,
): Seal {
  let last: Promise<unknown> = Promise.resolve();
  return (context, completing) => {
    const turn = last.then(async () => {
      const { sealDocuments } = await import('./complete.ts');
      return sealDocuments(context, completing, {
        sealing,
        onNotValid: (fault) => onError(fault, `transaction ${completing.next.id}`),
      });
    });
    last = turn.catch(() => undefined);
    return turn.catch((error: unknown): Result<SealedDocument[]> => {
      onError(error, `transaction ${completing.next.id}`);
      const refusal = storageRefusalOf(error);
      return refusal ? { ok: false, refusal } : refuse('sealing_failed', { why: messageOf(error) });
    });
  };
}

/** One line of an error, for the sender and the log. */
function messageOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, MOST_CHARACTERS);
}

const MOST_CHARACTERS = 300;

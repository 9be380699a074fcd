// Seals the documents of transactions that are about to be completed, when it is their turn. The code that seals is loaded when
// the first transaction is completed. Every failure is a refusal with a reason.

import { storageRefusalOf } from '../changes/storage-refusal.ts';
import { type Completing, type RequestContext, type Result, refuse } from '../context.ts';
import type { SealedDocument } from '../domain/transaction.ts';
import type { Observer } from '../observer.ts';
import type { CompanyQueue } from './company-queue.ts';
import type { SealingSource } from './sealing-source.ts';

/**
 * @param look called when it is the transaction's turn; returns what to seal, or undefined where nothing is to be sealed any
 * more
 * @returns undefined where nothing was to be sealed any more
 */
export type SealTransaction = (
  context: RequestContext,
  transaction: { id: string; company_id: string },
  look: () => Promise<Completing | undefined>,
) => Promise<Result<SealedDocument[]> | undefined>;

export type SealerOptions = {
  /** Called with each error that was not foreseen, and the transaction that it happened to. */
  onError: (error: unknown, id: string) => void;
  observer: Observer;
  /** How many documents are processed at a time. */
  atOnce: number;
};

export function createTransactionSealer(
  sealing: SealingSource,
  { onError, observer, atOnce }: SealerOptions,
): SealTransaction {
  const observe = async (context: RequestContext, seal: () => Promise<Result<SealedDocument[]>>) => {
    const { end } = observer.begin({ kind: 'sealing' }, context.trace);
    let isOk = false;
    try {
      const sealed = await seal();
      isOk = sealed.ok;
      return sealed;
    } finally {
      end({ kind: 'sealing', isOk });
    }
  };
  let turns: Promise<CompanyQueue> | undefined;
  return async (context, { id, company_id }, look) => {
    turns ??= import('./company-queue.ts').then(({ createCompanyQueue }) => createCompanyQueue(atOnce));
    const queue = await turns;
    try {
      return await queue.run(company_id, async (inTurn) => {
        const completing = await look();
        if (!completing) return undefined;
        const { sealDocuments } = await import('./seal-documents.ts');
        const onNotValid = (fault: unknown) => onError(fault, `transaction ${id}`);
        return observe(context, () => sealDocuments(context, completing, { sealing, inTurn, onNotValid }));
      });
    } catch (error) {
      onError(error, `transaction ${id}`);
      const refusal = storageRefusalOf(error);
      return refusal ? { ok: false, refusal } : refuse('sealing_failed', { why: messageOf(error) });
    }
  };
}

/** One line of an error, for the sender and the log. */
function messageOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, MOST_CHARACTERS);
}

const MOST_CHARACTERS = 300;

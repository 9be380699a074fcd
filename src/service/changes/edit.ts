// Makes every edit of a draft that may bring fields: patterns are checked outside of the commit, ids are looked up in it.

import type { FieldError } from '../../api/contract/problems.ts';
import { invalid } from '../../api/service-codec.ts';
import { findPatternErrors } from '../checks/deferred-checks.ts';
import type { RequestContext, Result } from '../context.ts';
import type { ValidFieldInput } from '../domain/fields.ts';
import { type EditFacts, newIds } from '../domain/ids.ts';
import type { Decision, Transaction } from '../domain/transaction.ts';
import { findTakenIds } from '../store/transactions/transactions.ts';
import { change, type TransactionKey } from './change.ts';

type Body = Parameters<typeof newIds>[0] & { fields?: readonly ValidFieldInput[] | undefined };

/** @param decide the domain's decision, with the ids of the request that are taken already (assumed: A20) */
export async function edit<T>(
  context: RequestContext,
  where: TransactionKey,
  body: Body,
  decide: (transaction: Transaction, facts: EditFacts) => Decision,
  output: (next: Transaction) => T,
): Promise<Result<T>> {
  const errors = await findErrors(body.fields ?? []);
  if (errors.length > 0) return { ok: false, refusal: invalid(errors) };
  return change(
    context,
    where,
    async (transaction, db) => {
      const taken = await findTakenIds(db, newIds(body, transaction.content));
      return decide(transaction, { ...context.facts, taken });
    },
    output,
  );
}

/** What is wrong with patterns and values of the sender, which takes more time than a commit has. */
export async function findErrors(fields: readonly ValidFieldInput[]): Promise<FieldError[]> {
  const ofPatterns = await findPatternErrors(fields);
  if (ofPatterns.length > 0 || fields.every(({ value }) => value === null)) return ofPatterns;
  const { findKnownValueErrors } = await import('../checks/field-errors.ts');
  return findKnownValueErrors(fields);
}

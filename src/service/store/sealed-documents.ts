// Removes sealed documents that no transaction uses. What a killed process leaves is removed by the sweep.
import type { Store } from './store.ts';

/**
 * Removes sealed documents that their transaction was not completed with. Only another process that seals the same transaction can have
 * made the same bytes, and its rows are there by now, or it is refused for the same reason.
 */
export async function discardSealed(
  { database, blobs }: Store,
  transactionId: string,
  sealed: readonly { sha256: string; evidence_sha256?: string }[],
): Promise<void> {
  const rows = await database.read((db) =>
    db
      .selectFrom('sealed_document')
      .select(['sha256', 'evidence_sha256'])
      .where('transaction_id', '=', transactionId)
      .execute(),
  );
  const named = new Set(rows.flatMap(({ sha256, evidence_sha256 }) => [sha256, evidence_sha256]));
  const made = new Set(sealed.flatMap(({ sha256, evidence_sha256 }) => [sha256, evidence_sha256]));
  for (const name of made) if (name !== undefined && !named.has(name)) await blobs.remove(name);
}

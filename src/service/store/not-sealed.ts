// Finds transactions whose last signature was refused because their documents could not be sealed, and that wait for it still.
import type { Db } from './schema.ts';

export type NotSealed = {
  count: number;
  latest: { id: string; at: string; reason: string } | undefined;
};

export async function findNotSealed(db: Db): Promise<NotSealed> {
  const waiting = db
    .selectFrom('transaction')
    .where('status', '=', 'started')
    .where('sealing_failed_reason', 'is not', null);
  const { count } = await waiting
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  const row = await waiting
    .select(['id', 'sealing_failed_at', 'sealing_failed_reason'])
    .orderBy('sealing_failed_at', 'desc')
    .executeTakeFirst();
  if (!row) return { count: 0, latest: undefined };
  const { id, sealing_failed_at: at, sealing_failed_reason: reason } = row;
  return { count: Number(count), latest: { id, at: at ?? '', reason: reason ?? '' } };
}

// Runs statements that PostgreSQL is not waited for: it gets them together with those that follow, which saves a round trip and a write
// to the network for each. SQLite runs them at once.
import { CompiledQuery, type Kysely } from 'kysely';

const TAKE_ROWS = Symbol('takeRows');

type TakeRows = (rows: Promise<readonly unknown[]>) => void;

/** Returns what takes the rows of a statement that is not waited for; undefined for any other. */
export const takerOf = (query: CompiledQuery): TakeRows | undefined =>
  (query as { [TAKE_ROWS]?: TakeRows })[TAKE_ROWS];

/**
 * Runs a statement without waiting for its rows, where that is possible. It must be part of a snapshot or a commit, which ends with its
 * error where it fails.
 */
export async function rowsLater<R>(
  db: Pick<Kysely<never>, 'executeQuery'>,
  text: string,
  values: readonly unknown[],
): Promise<{ rows: Promise<R[]> }> {
  let later: Promise<readonly unknown[]> | undefined;
  const take: TakeRows = (rows) => {
    later = rows;
  };
  const query = { ...CompiledQuery.raw(text, [...values]), [TAKE_ROWS]: take };
  const { rows } = await db.executeQuery(query);
  return { rows: (later ?? Promise.resolve(rows)) as Promise<R[]> };
}

/** Runs a statement of a commit whose result is not used. Its error is that of the next statement, or of the commit. */
export async function runLater(
  db: Pick<Kysely<never>, 'executeQuery'>,
  text: string,
  values: readonly unknown[],
): Promise<void> {
  await rowsLater(db, text, values);
}

// Authenticates a client application by its id and its secret, compared in constant time.
import { findClient } from '../../store/accounts.ts';
import { hashSecret, isSameSecret } from '../../store/keys.ts';
import type { Db } from '../../store/schema.ts';

export async function isClient(
  db: Db,
  { client_id, client_secret }: { client_id: string; client_secret: string },
): Promise<boolean> {
  const client = await findClient(db, client_id);
  return isSameSecret(client?.secret_hash ?? '', hashSecret(client_secret));
}

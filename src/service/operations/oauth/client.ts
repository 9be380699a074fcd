// Authenticates a client application by its id and its secret, compared in constant time.
import { ok, type Result, refuse } from '../../context.ts';
import { findClient } from '../../store/accounts.ts';
import { hashSecret, isSameSecret } from '../../store/keys.ts';
import type { Db, Tables } from '../../store/schema.ts';

/** A public application has no secret: the verifier of its code, or its refresh token, is the proof instead. */
export async function authenticateClient(
  db: Db,
  { client_id, client_secret }: { client_id: string; client_secret?: string | undefined },
): Promise<Result<Tables['client']>> {
  const client = await findClient(db, client_id);
  if (!client) return refuse('invalid_client');
  if (client.is_public === 1)
    return client_secret === undefined
      ? ok(client)
      : secretRefused('must be omitted, because the application is public');
  if (client_secret === undefined) return secretRefused('is required');
  const isRight = isSameSecret(client.secret_hash ?? '', hashSecret(client_secret));
  return isRight ? ok(client) : refuse('invalid_client');
}

const secretRefused = (message: string): Result<never> =>
  refuse('validation_failed', { summary: `client_secret ${message}.` }, [{ path: 'client_secret', message }]);

// Derives the secret that signs notifications about the transactions of a client application (assumed: A31).
import { secretOf } from '../../api/standard-webhooks.ts';
import type { Keys } from './keys.ts';

/**
 * Derived from the key of the store, so that there is one for every application there ever was.
 * @param rotations how often it was replaced
 */
export const notificationSecretOf = (keys: Keys, clientId: string, rotations: number): string =>
  secretOf(Buffer.from(keys.derive(`notification secret ${rotations} of ${clientId}`), 'base64url'));

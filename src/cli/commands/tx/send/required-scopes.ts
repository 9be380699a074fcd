// Refuses a command before it sends anything when the login lacks a scope that the command needs.
import { isScoped } from '../../../../api/contract/operation.ts';
import { API_OPERATIONS, type ApiOperationId } from '../../../../api/contract/operations.ts';
import { cliError } from '../../../command/errors.ts';
import type { Connection } from '../../../connection/connection.ts';

/** @throws CliError with exit 4 when the login did not ask for a scope that one of these operations takes */
export function mustBeGranted({ scopes, profile }: Connection, operations: readonly ApiOperationId[]): void {
  if (!scopes) return;
  const needed = operations.flatMap((id) => {
    const { access } = API_OPERATIONS[id];
    return isScoped(access) ? [access.scope] : [];
  });
  const missing = [...new Set(needed)].filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  throw cliError('insufficient_scope', { profile, granted: scopes, missing });
}

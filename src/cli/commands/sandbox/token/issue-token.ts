// Issues a token or a code in the sandbox.
import { sandboxOperations } from '../../../../api/contract/sandbox.ts';
import type { Scope } from '../../../../api/contract/scopes.ts';
import type { Uses } from '../../../command/context.ts';
import type { Outcome } from '../../../command/outcome.ts';
import { checked, wholeNumber } from '../../../input/checked.ts';

type TokenInput = {
  scope: string[];
  user: string | undefined;
  client: string | undefined;
  code: boolean;
  expires: string | undefined;
  raw: boolean;
};

const FLAGS = { scopes: '--scope', user: '--user', client_id: '--client' };
const YEAR_SECONDS = 365 * 24 * 3600;

export async function issueToken(context: Uses<'connections'>, options: TokenInput): Promise<Outcome> {
  const body = {
    ...(options.scope.length > 0 && { scopes: options.scope as Scope[] }),
    ...(options.user !== undefined && { user: options.user }),
    ...(options.client !== undefined && { client_id: options.client }),
    ...(options.expires !== undefined && {
      expires_in: wholeNumber('--expires', options.expires, 1, YEAR_SECONDS),
    }),
    kind: options.code ? ('code' as const) : ('token' as const),
  };
  checked(sandboxOperations['sandbox.token'].body, body, FLAGS);
  const { client } = await context.connections.sandbox();
  const answer = await client['sandbox.token']({ body });
  if (options.raw) return { kind: 'text', text: answer.access_token ?? answer.code ?? '', json: answer };
  return {
    kind: 'record',
    json: answer,
    entries: [
      { key: 'access_token', label: 'Access token', value: answer.access_token },
      { key: 'refresh_token', label: 'Refresh token', value: answer.refresh_token },
      { key: 'code', label: 'Code', value: answer.code },
      { key: 'expires_in', label: 'Lives for (s)', value: answer.expires_in },
      { key: 'client_id', label: 'Client id', value: answer.client_id },
      { key: 'scopes', label: 'Scopes', value: answer.scopes.join(' ') },
    ],
  };
}

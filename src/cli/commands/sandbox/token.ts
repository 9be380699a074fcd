import type { Scope } from '../../../api/contract/operation.ts';
import { sandboxOperations } from '../../../api/contract/operations.ts';
import { defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { list, nameOnly, number, object, prints, secret, text } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { optionNeeds, optionsConflict } from '../../command/wrong-input.ts';
import { checkValue } from '../../input/check-value.ts';
import { wholeUnits } from '../../input/parse-input.ts';

export const command = defineCommand({
  summary: 'Create access tokens and authorization codes',
  details:
    'Creates an access token without a browser. The token is accepted by `esign sandbox serve` until it ' +
    'expires.',
  arguments: [],
  options: {
    scope: {
      value: 'SCOPE',
      repeat: true,
      completes: 'scope',
      summary: 'Scope of the token (default: all scopes)',
    },
    user: {
      value: 'EMAIL',
      completes: 'user',
      summary: 'Email of the user the token belongs to (default: the default user of the sandbox)',
    },
    client: {
      value: 'ID',
      completes: 'application',
      summary: 'Client ID of the OAuth application the token is issued to',
    },
    code: {
      summary: 'Print an authorization code to exchange for a token instead; it is valid for ten minutes',
    },
    'code-challenge': {
      value: 'TEXT',
      summary: 'SHA-256 of the code_verifier that exchanges the code, as base64url (PKCE)',
    },
    control: {
      summary: 'Print the control secret for the X-Esign-Control header of /_sandbox/ paths instead',
    },
    expires: {
      value: 'SECONDS',
      summary: 'Lifetime of the access token in seconds, or with a unit such as 2h (default: 3600)',
    },
    raw: { summary: 'Print only the token, code or secret' },
  },
  json: prints(
    object({
      client_id: text,
      scopes: nameOnly(list(text)),
      access_token: secret('ESIGN_ACCESS_TOKEN'),
      refresh_token: secret('ESIGN_REFRESH_TOKEN'),
      expires_in: number,
    }),
    '; with --code ',
    object({
      client_id: text,
      scopes: nameOnly(list(text)),
      code: secret('AUTHORIZATION_CODE'),
      expires_in: number,
    }),
    '; with --control ',
    object({ control_secret: secret('ESIGN_CONTROL_SECRET'), header: text }),
  ),
  secrets: { again: 'Run the command again.', printed: printedSecrets, isAll: () => true },
  examples: [
    {
      line: 'export ESIGN_ACCESS_TOKEN="$(esign sandbox token --raw)"',
      about: 'Set an access token for `esign sandbox serve` in this shell',
    },
    {
      line: 'esign sandbox token --scope transaction:read --scope file:create',
      about: 'Create a token with limited scopes',
    },
    {
      line: 'esign sandbox token --control --raw',
      about: 'Print the control secret for reading events and emails over HTTP',
    },
  ],
  async run(context, { options }) {
    return issueToken(context, options);
  },
});

function printedSecrets({ control, code, raw }: Record<string, unknown>): string[] {
  if (control) return ['control_secret'];
  if (code) return ['code'];
  return raw ? ['access_token'] : ['access_token', 'refresh_token'];
}

type TokenInput = {
  scope: string[];
  user: string | undefined;
  client: string | undefined;
  code: boolean;
  'code-challenge': string | undefined;
  control: boolean;
  expires: string | undefined;
  raw: boolean;
};

const FLAGS = {
  scopes: '--scope',
  user: '--user',
  client_id: '--client',
  code_challenge: '--code-challenge',
};

const YEAR_SECONDS = 365 * 24 * 3600;

function checkTogether(options: TokenInput): void {
  const { code, control, expires, scope, user, client, 'code-challenge': challenge } = options;
  if (code && expires !== undefined)
    throw optionsConflict('--code', '--expires', {
      why: 'An authorization code always expires after ten minutes.',
    });
  const others = { code, expires, scope: scope.length > 0 || undefined, user, client };
  const other = Object.entries(others).find(([, value]) => value !== undefined && value !== false)?.[0];
  if (!code && challenge !== undefined) throw optionNeeds('--code-challenge', '--code');
  if (control && other !== undefined)
    throw optionsConflict('--control', `--${other}`, {
      why: 'The control secret is the same for all users and applications.',
    });
}

/** The header proves to the operations under /_sandbox/ that a request comes from the owner of this sandbox. */
const CONTROL_HEADER = 'X-Esign-Control';

async function controlSecret(context: Uses<'connections'>, raw: boolean): Promise<Outcome> {
  const { controlSecret = '' } = await context.connections.sandbox();
  const json = { control_secret: controlSecret, header: CONTROL_HEADER };
  if (raw) return { kind: 'text', text: controlSecret, json };
  return {
    kind: 'record',
    json,
    entries: [
      { key: 'control_secret', label: 'Control secret', value: controlSecret },
      { key: 'header', label: 'Header', value: CONTROL_HEADER },
    ],
  };
}

async function issueToken(context: Uses<'connections'>, options: TokenInput): Promise<Outcome> {
  checkTogether(options);
  if (options.control) return controlSecret(context, options.raw);
  const body = {
    ...(options.scope.length > 0 && { scopes: options.scope as Scope[] }),
    ...(options.user !== undefined && { user: options.user }),
    ...(options.client !== undefined && { client_id: options.client }),
    ...(options.expires !== undefined && {
      expires_in: wholeUnits('--expires', options.expires, { unit: 's', min: 1, max: YEAR_SECONDS }),
    }),
    ...(options['code-challenge'] !== undefined && { code_challenge: options['code-challenge'] }),
    kind: options.code ? ('code' as const) : ('token' as const),
  };
  checkValue(sandboxOperations['sandbox.token'].body, body, FLAGS);
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
      { key: 'expires_in', label: 'Expires in (s)', value: answer.expires_in },
      { key: 'client_id', label: 'Client ID', value: answer.client_id },
      { key: 'scopes', label: 'Scopes', value: answer.scopes.join(' ') },
    ],
  };
}

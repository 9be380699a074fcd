import { defineCommand } from '../../../command/command.ts';

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
    expires: { value: 'SECONDS', summary: 'Lifetime of the access token in seconds (default: 3600)' },
    raw: { summary: 'Print only the token, code or secret' },
  },
  json: '{client_id, scopes, access_token, refresh_token, expires_in}, {client_id, scopes, code, expires_in} or {control_secret, header}',
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
    const { issueToken } = await import('./issue-token.ts');
    return issueToken(context, options);
  },
});

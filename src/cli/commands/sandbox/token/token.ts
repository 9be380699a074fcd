import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'issue an access token without a browser',
  details: 'It works at the address where `esign sandbox serve` answers, until it expires.',
  arguments: [],
  options: {
    scope: {
      value: 'SCOPE',
      repeat: true,
      completes: 'scope',
      summary: 'what it may do; left out, everything',
    },
    user: { value: 'EMAIL', summary: 'on whose behalf; left out, the own user of the sandbox' },
    client: { value: 'ID', summary: 'client application it is issued to' },
    code: { summary: 'an authorization code for the exchange instead; it lives for ten minutes' },
    control: {
      summary:
        'the control secret of the sandbox instead: the X-Esign-Control header of paths under /_sandbox/',
    },
    expires: { value: 'SECONDS', summary: 'how long the access token lives' },
    raw: { summary: 'print the token or code alone' },
  },
  json: '{client_id, scopes, access_token, refresh_token, expires_in}, {client_id, scopes, code, expires_in} or {control_secret, header}',
  examples: [
    {
      line: 'export ESIGN_ACCESS_TOKEN="$(esign sandbox token --raw)"',
      about: 'for the shell that speaks to `sandbox serve`',
    },
    {
      line: 'esign sandbox token --scope transaction:read --scope file:create',
      about: 'a token that may do little',
    },
    {
      line: 'esign sandbox token --control --raw',
      about: 'for the X-Esign-Control header, to read events and mail over HTTP',
    },
  ],
  async run(context, { options }) {
    const { issueToken } = await import('./issue-token.ts');
    return issueToken(context, options);
  },
});

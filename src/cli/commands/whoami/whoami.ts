import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Show the active profile, account and credentials',
  details:
    'Shows the active profile, where its credentials come from and are stored, the scopes that were ' +
    'requested, and the age of the access token. No request is sent, except with --check.',
  arguments: [],
  options: { check: { summary: 'Ask the service whether it accepts the access token, and whose it is' } },
  json: '{profile, service, source, variable, file, client_id, scopes, linked_at, token_obtained_at, token_age_seconds, sender, is_accepted?, user?: {name, email}}; in the sandbox {profile, service: null, user, source: null}',
  examples: [{ line: 'esign whoami', about: 'Show the profile and account that commands use' }],
  async run(context, { options }) {
    const { whoami } = await import('./active-account.ts');
    return whoami(context, options.check);
  },
});

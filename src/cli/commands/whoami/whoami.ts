import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'say as whom and where commands run',
  details:
    'Which profile is in use, where its credentials come from and are kept, what was asked for, and how old the token ' +
    'is. Nothing is sent, unless --check asks the service whether it still takes the token.',
  arguments: [],
  options: { check: { summary: 'ask the service whether it takes the token' } },
  json: '{profile, service, source, variable, file, client_id, scopes, linked_at, token_obtained_at, token_age_seconds, sender, is_accepted?}; in the sandbox {profile, service: null, user, source: null}',
  examples: [{ line: 'esign whoami', about: 'the profile in use' }],
  async run(context, { options }) {
    const { whoami } = await import('./active-account.ts');
    return whoami(context, options.check);
  },
});

import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'look for what is wrong here, and say what to do',
  details:
    'Looks at Node, folders, profile, keyring, ports, and at the service: whether it can be reached, its certificate, its clock, the access token and the assumed addresses. Changes nothing. Ends with the exit code of the first failure.',
  arguments: [],
  options: {},
  json: '{ok, checks: [{name, state: ok | warn | fail | skip, message, hint}]}',
  examples: [{ line: 'esign doctor', about: 'before anything else, when something does not work' }],
  async run(context) {
    const { doctor } = await import('./checks.ts');
    return doctor(context);
  },
});

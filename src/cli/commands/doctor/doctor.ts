import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'look for what is wrong here, and say what to do',
  details:
    'Looks at Node, folders, profile, keyring, ports, and at the service: whether it can be reached, its certificate, its clock, the access token and the assumed addresses; or at the files of the offline sandbox: whether its database is sound, its key fits, every document is there, documents can be sealed, and space is left. Changes nothing. Ends with the exit code of the first failure.',
  arguments: [],
  options: {
    deep: { summary: 'read every byte of the sandbox and compare it with what was stored' },
  },
  json: '{ok, checks: [{name, state: ok | warn | fail | skip, message, hint}]}',
  examples: [
    { line: 'esign doctor', about: 'before anything else, when something does not work' },
    { line: 'esign doctor --sandbox --deep', about: 'after a disk has failed' },
  ],
  async run(context, { options }) {
    const { doctor } = await import('./checks.ts');
    return doctor(context, { deep: options.deep === true });
  },
});

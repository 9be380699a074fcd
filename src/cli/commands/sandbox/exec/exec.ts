import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Run a command with a new sandbox that is served for it',
  details:
    'Creates an empty sandbox, serves it on a free port, runs COMMAND, and deletes the sandbox when COMMAND has ended. ' +
    'The sandbox of this machine is not used. The exit code is that of COMMAND, or 128 and the number of the signal that ended it. ' +
    'COMMAND gets ESIGN_BASE_URL, ESIGN_APP_URL, ESIGN_DASHBOARD_URL, ESIGN_ACCESS_TOKEN and ESIGN_SENDER; ESIGN_HOME, with which its ' +
    '`esign sandbox` commands reach the same sandbox; and NODE_EXTRA_CA_CERTS with the root certificate of the sandbox. ' +
    'Write -- before COMMAND, so that its options are not read as options of esign.',
  arguments: [{ name: 'command', summary: 'Program to run, and what it is given', repeat: true }],
  options: {
    seed: {
      value: 'FILE',
      completes: 'file',
      summary: 'File with what the sandbox contains at first, as for `esign sandbox seed`',
    },
    clock: {
      value: 'INSTANT',
      summary: 'Time that the clock of the sandbox is set to first, such as 2030-01-01',
    },
  },
  json: 'nothing: the output is that of COMMAND',
  examples: [
    { line: 'esign sandbox exec -- npm test', about: 'Run tests against a sandbox of their own' },
    {
      line: 'esign sandbox exec --seed world.yaml -- npm test',
      about: 'Run tests with the users, templates and transactions of a file',
    },
    {
      line: 'esign sandbox exec --clock 2030-01-01 -- esign tx send contract.pdf --to ada@example.com',
      about: 'Send in the year 2030',
    },
  ],
  async check(_, { options: { clock } }) {
    if (clock !== undefined) (await import('../../../input/parse-input.ts')).parseClockTime('--clock', clock);
  },
  async run(context, { args, options }) {
    const { executeWithSandbox } = await import('./execute-with-sandbox.ts');
    return executeWithSandbox(context, args.command, options);
  },
});

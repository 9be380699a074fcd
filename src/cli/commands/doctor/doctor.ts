import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Check this machine, profile and connection for problems',
  details:
    'Checks Node.js, directories, the profile, the keyring, ports and fonts. For a service, checks the ' +
    'connection and its certificate, whether the clocks of this machine and the service agree, the access ' +
    'token and the assumed paths. For the offline sandbox, checks ' +
    'the database, its key, the stored documents, sealing, email and free disk space. Changes nothing and ' +
    'sends no documents or emails. The exit code is that of the first failed check.',
  arguments: [],
  options: {
    deep: { summary: 'Read every byte of the sandbox and compare it with what was stored' },
    report: {
      value: 'FILE',
      completes: 'file',
      summary:
        'Also write a Markdown report for a bug report to a new file, without secrets, URLs and home directories',
    },
  },
  json: '{ok, checks: [{name, state: ok | warn | fail | skip, message, hint}]}',
  examples: [
    { line: 'esign doctor', about: 'Check for problems when something does not work' },
    { line: 'esign doctor --sandbox --deep', about: 'Check the sandbox after a disk failure' },
    {
      line: 'esign doctor --report report.md',
      about: 'Write a report for a bug report; read it before sharing it',
    },
  ],
  async run(context, { options }) {
    const { runChecks } = await import('./checks.ts');
    return runChecks(context, { deep: options.deep === true, report: options.report });
  },
});

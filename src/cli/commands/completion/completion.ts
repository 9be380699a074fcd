import { defineCommand } from '../../command/command.ts';
import { SHELLS } from '../../completion/answer.ts';

export const command = defineCommand({
  summary: 'print what makes TAB work in a shell',
  details: `For the shell that is running now:

  bash         source <(esign completion bash)
  zsh          source <(esign completion zsh)
  fish         esign completion fish | source
  powershell   esign completion powershell | Out-String | Invoke-Expression

With --install it is written where the shell looks for it at its next start, and what is left for you to do is said.
Files that you edit yourself, such as .bashrc, are never changed. TAB offers commands, options, and the transactions,
templates and webhooks that this machine has seen of the service in use; it asks nobody and runs nothing.`,
  arguments: [{ name: 'shell', choices: SHELLS, summary: 'bash, zsh, fish or powershell' }],
  options: { install: { summary: 'write it where the shell looks' } },
  json: '{shell, script}; with --install {shell, file, installed, next: [{command, when}]}',
  examples: [
    { line: 'esign completion bash', about: 'the script, on stdout' },
    { line: 'esign completion zsh --install', about: 'write it, and say what is left to do' },
  ],
  async run(context, { args, options }) {
    const { printScript, installScript } = await import('./shell-setup.ts');
    return options.install ? installScript(context, args.shell) : printScript(args.shell);
  },
});

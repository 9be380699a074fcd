import { defineCommand } from '../../command/command.ts';
import { SHELLS } from '../../completion/answer.ts';

export const command = defineCommand({
  summary: 'Generate shell completion scripts',
  details: `To enable completion in the current shell:

  bash         source <(esign completion bash)
  zsh          source <(esign completion zsh)
  fish         esign completion fish | source
  powershell   esign completion powershell | Out-String | Invoke-Expression

With --install, the script is written to the directory where the shell looks for completions, and remaining steps are
printed. Files that you edit yourself, such as .bashrc, are never changed. Completion offers commands, options, and
the transactions, templates and webhooks recently used on this machine. It sends no requests.`,
  arguments: [{ name: 'shell', choices: SHELLS, summary: 'Shell to generate the script for' }],
  options: { install: { summary: 'Write the script to where the shell looks for completions' } },
  json: '{shell, script}; with --install {shell, file, installed, next: [{command, when}]}',
  examples: [
    { line: 'esign completion bash', about: 'Print the script for bash' },
    {
      line: 'esign completion zsh --install',
      about: 'Install completion for zsh and print the remaining steps',
    },
  ],
  async run(context, { args, options }) {
    const { printScript, installScript } = await import('./shell-setup.ts');
    return options.install ? installScript(context, args.shell) : printScript(args.shell);
  },
});

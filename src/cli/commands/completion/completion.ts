import { defineCommand } from '../../command/command.ts';
import { SHELLS } from '../../shell-completion/answer.ts';

export const command = defineCommand({
  summary: 'Generate shell completion scripts',
  details: `To enable completion in the current shell:

  bash         source <(esign completion bash)
  zsh          source <(esign completion zsh)
  fish         esign completion fish | source
  powershell   esign completion powershell | Out-String | Invoke-Expression

With --install, the script is written to the directory where the shell looks for completions. bash and zsh also need
a few lines in .bashrc or .zshrc: they are added if you agree at the prompt, or with --yes; otherwise, the steps that remain are
printed. Completion offers commands, options, and
the transactions, templates and webhooks recently used on this machine. It sends no requests.`,
  arguments: [{ name: 'shell', choices: SHELLS, summary: 'Shell to generate the script for' }],
  options: {
    install: { summary: 'Install the script permanently; asks before it changes .bashrc or .zshrc' },
  },
  json: '{shell, script}; with --install {shell, file, installed, startup_file, next: [{command, when}]}; startup_file is the file that loads the script, or null',
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

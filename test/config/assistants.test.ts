// Programs with a language model are recognized by the variables that they are known to set.
import { expect, test } from 'vitest';
import { ASSISTANTS, isRunByAssistant } from '../../src/config/environment.ts';

/** What a command sees that each of them runs: a variable with the value that the program gives it. */
const EVIDENCE: Record<keyof typeof ASSISTANTS, Record<string, string>[]> = {
  'Claude Code': [{ CLAUDECODE: '1' }, { CLAUDE_CODE_ENTRYPOINT: 'cli' }],
  Codex: [
    { CODEX_SANDBOX: 'seatbelt' },
    { CODEX_THREAD_ID: '0199f1a2-0000-7000-8000-000000000000' },
    { CODEX_CI: '1' },
  ],
  Cursor: [{ CURSOR_AGENT: '1' }],
  'Gemini CLI': [{ GEMINI_CLI: '1' }],
  Cline: [{ CLINE_ACTIVE: 'true' }],
  OpenCode: [{ OPENCODE: '1' }],
  'other programs': [{ AI_AGENT: 'goose' }, { AGENT: 'amp' }],
};

test.each(Object.entries(EVIDENCE))('%s', (_, environments) => {
  for (const variables of environments) {
    const [name = ''] = Object.keys(variables);
    expect([name, isRunByAssistant({ PATH: '/usr/bin', ...variables })]).toEqual([name, true]);
    for (const value of [undefined, '', '0', 'false', 'FALSE'])
      expect(isRunByAssistant({ [name]: value })).toBe(false);
  }
});

test('a variable without evidence is none of them', () => {
  for (const [program, names] of Object.entries(ASSISTANTS)) {
    const evidence = EVIDENCE[program as keyof typeof ASSISTANTS].flatMap((variables) =>
      Object.keys(variables),
    );
    expect([program, evidence]).toEqual([program, names]);
  }
});

test('a terminal of a person, an editor or a CI job is none of them', () => {
  expect(
    isRunByAssistant({
      TERM_PROGRAM: 'vscode',
      CURSOR_TRACE_ID: 'x',
      GEMINI_API_KEY: 'x',
      ANTHROPIC_API_KEY: 'x',
      OPENAI_API_KEY: 'x',
      GITHUB_ACTIONS: 'true',
      SSH_AGENT_PID: '1',
    }),
  ).toBe(false);
});

// What `sandbox users password` says once it has set a password.
import { expect, test } from 'vitest';
import type { CommandContext } from '../../../../src/cli/command/context.ts';
import { command } from '../../../../src/cli/commands/sandbox/users/password.ts';

async function headlineAfter(answer: object) {
  const client = { 'sandbox.set_password': async () => answer };
  const context = { connections: { sandbox: async () => ({ client }) } } as unknown as CommandContext;
  const input = { args: { email: undefined }, options: { 'password-file': undefined } };
  const outcome = await command.run(context, input as never);
  return outcome.kind === 'record' ? outcome.headline : undefined;
}

test('says that the password is set, in the past tense', async () => {
  expect(await headlineAfter({ email: 'ada@example.com' })).toBe('Password set.');
});

test('says that a generated password is not shown again', async () => {
  const answer = { email: 'ada@example.com', password: 'a'.repeat(20) };
  expect(await headlineAfter(answer)).toBe('Password set. It is not shown again.');
});

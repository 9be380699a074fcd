// What a command says of events that it could not deliver, to people and to programs.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BuiltProgram, openBuiltProgram } from '../support/command-line/built-program.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';

let program: BuiltProgram;
let receiver: WebhookReceiver;
beforeEach(async () => {
  [program, receiver] = [await openBuiltProgram(), await startWebhookReceiver()];
  receiver.answer = (_, response) => response.writeHead(503).end();
});
afterEach(async () => {
  await program.close();
  await receiver.close();
});

const create = (...options: string[]) =>
  program.run([
    'api',
    'POST',
    '/v1/transaction',
    '-f',
    'name=A',
    '-f',
    `notification_endpoint=${receiver.url}`,
    ...options,
  ]);

const NOTE =
  '1 event is not delivered yet (`esign events list --undelivered`). To keep sending, run `esign sandbox serve`.';

test('a person reads a note', async () => {
  const { code, err } = await create();
  expect(code, err).toBe(0);
  expect(err).toContain(NOTE);
});

test('a program gets a line of JSON', async () => {
  const { err } = await create('--json');
  expect(
    err
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toContainEqual({ note: NOTE });
});

test('nothing is said where only errors are wanted', async () => {
  expect((await create('--quiet')).err).toBe('');
  expect((await create('--quiet', '--json')).err).toBe('');
});

test('the error stays the last line of a command that fails after it has changed something', async () => {
  const { err } = await create('--jq', 'error("no")', '--json');
  expect(JSON.parse(err.trim().split('\n').at(-1) ?? '')).toHaveProperty('error.message');
});

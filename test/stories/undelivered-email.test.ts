// What the commands say of an email that a mail server refused for good, and of one that it takes at the next attempt.
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BuiltProgram, openBuiltProgram } from '../support/command-line/built-program.ts';
import { type MailServer, smtpError, startPlainMailServer } from '../support/servers/mail-server.ts';

let program: BuiltProgram;
let server: MailServer;
let isRefusing = true;
beforeEach(async () => {
  isRefusing = true;
  [program, server] = await Promise.all([
    openBuiltProgram(),
    startPlainMailServer({
      onRcptTo: (_, __, done) => done(isRefusing ? smtpError(550, '5.1.1 No such user.') : null),
    }),
  ]);
  for (const [key, value] of [
    ['mail.smtp', `127.0.0.1:${server.port}`],
    ['mail.tls', 'none'],
    ['mail.from', 'no-reply@example.com'],
  ] as const)
    await succeed('config', 'set', '--sandbox', key, value);
});
afterEach(async () => {
  await program.close();
  await server.close();
});

async function succeed(...args: string[]): Promise<{ out: string; err: string }> {
  const { code, out, err } = await program.run(args);
  expect(code, err).toBe(0);
  return { out, err };
}

const CONTRACT = fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url));
const REFUSED =
  'The email (invitation) to Ada <ada@example.com> could not be delivered: the mail server responded with status 550: 5.1.1 No such user.';

test('tx show and tx wait report an email that is refused for good, until a reminder arrives', async () => {
  const sent = await succeed('tx', 'send', CONTRACT, '--to', 'Ada <ada@example.com>', '--json');
  const { id } = JSON.parse(sent.out) as { id: string };

  const shown = await succeed('tx', 'show', id);
  expect(shown.out).toContain('email not delivered');
  const { out } = await succeed('tx', 'show', id, '--json');
  const { recipients } = JSON.parse(out) as { recipients: { undelivered_email?: { reason: string } }[] };
  expect(recipients.map((one) => one.undelivered_email?.reason)).toContain(
    'the mail server responded with status 550: 5.1.1 No such user',
  );
  const waited = await program.run(['tx', 'wait', id, '--timeout', '1s']);
  expect(waited.code).toBe(8);
  expect(waited.err).toContain(`${REFUSED} To send it again, run \`esign tx remind ${id}\`.`);
  expect(server.taken).toEqual([]);

  isRefusing = false;
  await succeed('tx', 'remind', id);
  expect(server.taken.map(({ to }) => to)).toEqual([['ada@example.com']]);
  expect((await succeed('tx', 'show', id)).out).not.toContain('not delivered');
});

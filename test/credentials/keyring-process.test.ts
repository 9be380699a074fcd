// The process that asks the keyring answers in JSON, also when the library fails.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../dist/keyring.js', import.meta.url));

test('the process of the keyring says why a desktop that does not answer has no secret', () => {
  const { status, stdout } = spawnSync(process.execPath, [program], {
    input: JSON.stringify({ action: 'read', account: 'nobody' }),
    encoding: 'utf8',
    env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' },
  });
  expect([status, JSON.parse(stdout || 'null')]).toEqual([
    0,
    { ok: false, reason: expect.stringMatching(/^\S.*[^.\s]$/) },
  ]);
});

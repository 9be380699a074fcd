// A refresh that a signal, or a disk without space, comes in between: a refresh token that was replaced is never lost
// silently.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Transport } from '../../../src/api/transport.ts';
import { openAccess, openLoginStore } from '../../../src/cli/connection/access-token.ts';
import type { RemoteParts } from '../../../src/cli/connection/remote-transport.ts';
import { createInterruption } from '../../../src/cli/process/interruption.ts';
import { chooseProfile } from '../../../src/config/profile.ts';
import type { LoginStore } from '../../../src/credentials/store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SERVICE = 'https://api.example.com';
const PROFILE = chooseProfile(
  { profile: 'acme', sandbox: false },
  {},
  { profiles: { acme: { base_url: SERVICE } } },
);

let home: string;
let parts: RemoteParts;
let store: LoginStore;
const warn = vi.fn();

beforeEach(async () => {
  warn.mockClear();
  home = await temporaryFolder();
  const credentialsDir = join(home, 'credentials');
  await mkdir(credentialsDir, { mode: 0o700 });
  parts = {
    environment: { variables: { ESIGN_CREDENTIAL_STORE: 'file' } },
    paths: { credentialsDir },
    interruption: createInterruption(),
    progress: { warn },
  } as unknown as RemoteParts;
  store = await openLoginStore(parts);
  await store.save('acme', {
    service: SERVICE,
    client_id: 'C-1',
    linked_at: '2026-01-01T00:00:00.000Z',
    obtained_at: '2026-01-01T00:00:00.000Z',
    access_token: 'OLD',
    refresh_token: 'ONCE',
  });
});
afterEach(() => rm(home, { recursive: true, force: true }));

const renew = async (answer: () => Promise<object>) => {
  const transport: Transport = parts.interruption.interruptible(async () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(await answer())),
  }));
  const access = await openAccess(PROFILE, SERVICE, transport, parts);
  return access.renewLogin?.('OLD');
};

test('a signal during the refresh ends the command after the new tokens are stored', async () => {
  const { interruption } = parts;
  const fresh = await renew(async () => {
    interruption.stop('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { access_token: 'NEW', refresh_token: 'NEXT' };
  });
  expect(fresh).toBe('NEW');
  expect(await store.find('acme')).toMatchObject({ access_token: 'NEW', refresh_token: 'NEXT' });
  expect(interruption.checkpoint).toThrow();
});

test('a second signal ends a refresh that is not answered', async () => {
  const { interruption } = parts;
  const refreshing = renew(() => {
    interruption.stop('SIGINT');
    interruption.stop('SIGINT');
    return new Promise(() => undefined);
  });
  await expect(refreshing).rejects.toMatchObject({ name: 'Interrupted' });
});

test.each([
  ['was replaced', 'NEXT', 2],
  ['stays', undefined, 1],
])(
  'names the end of the login where nothing can be stored and the refresh token %s',
  async (_, refresh_token, count) => {
    const saving = vi.spyOn(await import('../../../src/credentials/private-file.ts'), 'writePrivateFile');
    saving.mockRejectedValue(new Error('No space left.'));
    expect(await renew(async () => ({ access_token: 'NEW', refresh_token }))).toBe('NEW');
    saving.mockRestore();
    const warnings = warn.mock.calls.map(([sentence]) => sentence);
    expect(warnings).toHaveLength(count);
    expect(warnings[0]).toContain('No space left.');
    expect(warnings[1] ?? '`esign login --profile acme`').toContain('`esign login --profile acme`');
  },
);

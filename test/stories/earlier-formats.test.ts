// Stores, plans and configurations of each version, as `scripts/record-format.js` recorded them before its release: opened, resumed, served
// and signed by the built program. Runs in the landing and full tiers. Before a release, the newest format is that of the version to be released.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectSqlite } from '../../src/database/sqlite-driver.ts';
import { type BuiltProgram, openBuiltProgram } from '../support/command-line/built-program.ts';
import { EARLIER_FORMATS } from '../support/stores/earlier-formats.ts';
import { SLOW, sampleOf, shareOf } from '../support/tier.ts';

const ESIGN = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));

const FORMATS = shareOf(EARLIER_FORMATS, 4);

let program: BuiltProgram;
let server: ChildProcess | undefined;

beforeEach(async () => {
  program = await openBuiltProgram();
});
afterEach(async () => {
  if (server && server.exitCode === null && server.signalCode === null) {
    server.kill('SIGKILL');
    await once(server, 'close');
  }
  server = undefined;
  await program.close();
});

describe.each(FORMATS)('what $name stored', (format) => {
  const home = () => join(program.folder, 'home');

  beforeEach(() => {
    mkdirSync(home(), { mode: 0o700 });
    format.restore(home(), program.folder);
  });

  async function json(...words: string[]) {
    const result = await program.run([...words, '--json'], { ESIGN_SOFFICE: 'off' });
    expect(result, `${words.join(' ')}: ${result.err}`).toMatchObject({ code: 0 });
    return JSON.parse(result.out);
  }

  test('is opened, and what was sent is signed to its end', async () => {
    expect(await json('tx', 'show', format.started)).toMatchObject({ outcome: 'started' });
    await json('sandbox', 'sign', format.started);
    const { outcome, sealed_documents } = await json('tx', 'show', format.started);
    expect([outcome, sealed_documents.length]).toEqual(['completed', 1]);
    expect((await json('webhooks', 'list')).items).toMatchObject([{ name: 'Orders' }]);
    const { checks } = await json('doctor', '--deep');
    const state = (name: string) => checks.find((check: { name: string }) => check.name === name)?.state;
    expect(['store', 'documents', 'sealing'].map(state)).toEqual(['ok', 'ok', 'ok']);
    const profiles = await json('profile', 'list');
    expect(JSON.stringify(profiles)).toContain('https://api.example.com');
    expect((await program.run(['config', 'get', 'sender', '--profile', 'work'])).out).toContain(
      'me@example.com',
    );
  });

  test.each(sampleOf([0, 1, 2], 3))('has a plan that is resumed to what was planned (%i)', async (index) => {
    const sent = await json('tx', 'send', '--resume', format.plans[index]!);
    const { outcome, template } = await json('tx', 'show', sent.id);
    expect(outcome).toBe('started');
    const emails = new Map<string, string>(
      template.recipients.map(({ id, email }: { id: string; email: string }) => [id, email]),
    );
    expect([...emails.values()]).toEqual(['sender@esign.test', 'ada@example.com', 'bob@example.com']);
    expect(template.documents).toHaveLength(1);
    const fields = template.fields.map(({ type, label, recipient_id }: Record<string, string>) => ({
      type,
      label,
      of: emails.get(recipient_id!),
    }));
    expect(fields).toHaveLength(2);
    expect(fields).toContainEqual({ type: 'text', label: 'City', of: 'bob@example.com' });
    expect(fields).toContainEqual(expect.objectContaining({ type: 'signature', of: 'ada@example.com' }));
  });

  test.skipIf(!SLOW)('is served', async () => {
    const env = { PATH: process.env.PATH, HOME: home(), ESIGN_HOME: home(), ESIGN_SOFFICE: 'off' };
    const words = ['sandbox', 'serve', '--port', '0', '--json', '--quiet'];
    server = spawn(process.execPath, [ESIGN, ...words], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = await once(server.stdout!, 'data');
    const { base_url } = JSON.parse(String(line));
    const token = (await program.run(['sandbox', 'token', '--raw'])).out.trim();
    const answer = await fetch(`${base_url}/v1/transaction/${format.started}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ id: format.started, status: 'started' });
  });
});

test('a sandbox of a clone from before the first release is refused, until its directory is moved away', async () => {
  const home = join(program.folder, 'home');
  const sandbox = join(home, 'data', 'sandbox');
  mkdirSync(home, { mode: 0o700 });
  const format = EARLIER_FORMATS[0]!;
  format.restore(home, program.folder);
  // `tx list` asks about transactions that were seen.
  expect(await program.run(['tx', 'show', format.started])).toMatchObject({ code: 0 });
  const connection = connectSqlite(join(sandbox, 'store.db'));
  connection.exec(`insert into schema_migration (name) values ('0002-dashboard')`);
  connection.close();
  for (const words of [
    ['tx', 'list'],
    ['webhooks', 'list'],
    ['sandbox', 'reset', '--yes'],
  ]) {
    const { code, err } = await program.run([...words, '--json']);
    const { error } = JSON.parse(err.trim().split('\n').at(-1)!);
    expect([code, error.code]).toEqual([1, 'store_unreleased']);
    expect(error.message).toContain('"0002-dashboard"');
    expect(error.hint).toContain(`Move the directory ${sandbox} away.`);
  }
  rmSync(sandbox, { recursive: true });
  expect(await program.run(['webhooks', 'list', '--json'])).toMatchObject({ code: 0 });
});

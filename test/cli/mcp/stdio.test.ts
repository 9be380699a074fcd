// `esign mcp` as a client starts it: every tool over standard input and output, in the sandbox and for a service with real recipients.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Harness, openHarness } from '../../support/harness.ts';
import { type McpConnection, startMcp } from '../../support/mcp-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW } from '../../support/tier.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/esign.js', import.meta.url));
const CONTRACT = fileURLToPath(new URL('../../fixtures/contract.pdf', import.meta.url));
const ADA = 'Ada <ada@example.com>';

const esign = async (...words: string[]) =>
  promisify(execFile)(process.execPath, [PROGRAM, ...words], {
    env: { PATH: process.env.PATH, ESIGN_HOME: join(folder, '.esign') },
  });

let folder: string;
let mcp: McpConnection | undefined;
let harness: Harness | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
  await copyFile(CONTRACT, join(folder, 'contract.pdf'));
});
afterEach(async () => {
  await mcp?.close();
  await harness?.close();
  await rm(folder, { recursive: true, force: true });
  [mcp, harness] = [undefined, undefined];
});

const sent = async () => {
  const { id } = await mcp!.call('send_documents', { files: ['contract.pdf'], to: [ADA] });
  return String(id);
};

describe('in the sandbox', () => {
  test('every tool does what it says, and its output is as described', async () => {
    mcp = await startMcp(['mcp'], { folder });
    const id = await sent();
    const called = new Set(['send_documents']);
    const call = (name: string, input: object) => {
      called.add(name);
      return mcp!.call(name, input);
    };
    expect(await call('show_transaction', { id })).toMatchObject({
      outcome: 'started',
      url: expect.stringContaining('/sign'),
    });
    expect(await call('remind_recipient', { id })).toMatchObject({ reminded: true });
    expect(await call('wait_for_transaction', { id, timeout_seconds: 1 })).toMatchObject({ is_ended: false });
    // A call waits while others work.
    const [ended] = await Promise.all([
      call('wait_for_transaction', { id, timeout_seconds: 60 }),
      call('sandbox_sign', { id, as: 'ada@example.com' }),
    ]);
    expect(ended).toMatchObject({ outcome: 'completed', is_ended: true });
    expect(await call('search_documents', { status: ['completed'] })).toMatchObject({ items: [{ id }] });
    const { files } = await call('download_documents', { id, directory: 'signed' });
    expect(files).toMatchObject([{ kind: 'sealed', path: join(folder, 'signed', 'contract.sealed.pdf') }]);
    expect(await call('verify_files', { files: ['signed/contract.sealed.pdf'] })).toMatchObject({
      items: [{ verdict: 'valid', evidence: { signers: [{ email: 'ada@example.com' }] } }],
    });
    const words = await call('read_words', { file: 'contract.pdf', page: '1' });
    expect(words).toMatchObject({ is_cut: false });
    expect(words.items).toContainEqual(expect.objectContaining({ text: 'Agreement', page: 0 }));
    expect(await call('preview_page', { id, page: 'last' })).toMatchObject({ files: [{ page: 2 }] });
    const other = await sent();
    expect(await call('cancel_transaction', { id: other, reason: 'Wrong file' })).toMatchObject({
      outcome: 'cancelled',
    });
    expect(await call('sandbox_advance_clock', { duration: '1d' })).toMatchObject({ fired: [] });
    await esign('sandbox', 'template', 'save', other);
    const { items } = await call('search_templates', { search: 'contract' });
    const [template] = items as unknown as { id: string }[];
    expect(await call('load_template', { id: template?.id })).toMatchObject({ name: 'contract' });
    expect([...called].sort()).toEqual(mcp.tools.map(({ name }) => name).sort());
  }, 60_000);

  test.skipIf(!SLOW)(
    'a page is a picture, and the text beside the output is one fixed sentence and JSON',
    async () => {
      mcp = await startMcp(['mcp'], { folder });
      const [said, picture] = await mcp.content('preview_page', {
        file: 'contract.pdf',
        to: [ADA],
        page: 'last',
      });
      expect(said).toMatchObject({
        type: 'text',
        text: expect.stringMatching(/^Result of preview_page\. .*\n\{.*\}$/),
      });
      expect(picture).toMatchObject({ type: 'image', mimeType: 'image/png' });
      const bytes = Buffer.from((picture as { data: string }).data, 'base64');
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    },
  );

  test.skipIf(!SLOW)('the variables of a service mean nothing without --profile', async () => {
    const env = { ESIGN_BASE_URL: 'http://127.0.0.1:9', ESIGN_ACCESS_TOKEN: 'x' };
    mcp = await startMcp(['mcp'], { folder, env });
    expect(await mcp.call('search_templates', {})).toMatchObject({ items: [] });
  });
});

describe('files', () => {
  test('outside of the directories are neither read nor written, whatever leads there', async () => {
    const inside = join(folder, 'inside');
    await mkdir(inside);
    await symlink(join(folder, 'contract.pdf'), join(inside, 'link.pdf'));
    await symlink(folder, join(inside, 'way'));
    mcp = await startMcp(['mcp', '--root', 'inside'], { folder });
    for (const file of ['../contract.pdf', CONTRACT, 'link.pdf', 'way/contract.pdf', '..', '/dev/stdin', '-'])
      expect([file, (await mcp.refused('read_words', { file })).code]).toEqual([
        file,
        file === '-' ? 'file_not_found' : 'file_outside',
      ]);
    expect(await mcp.refused('read_words', { file: 'a\0b' })).toMatchObject({ code: 'file_not_found' });
    const { id } = await mcp
      .call('send_documents', { template: undefined, files: [], to: [ADA], draft: true })
      .catch(() => ({ id: 'x' }));
    for (const directory of ['..', 'way', 'way/new', '/tmp', '../inside-not'])
      expect([directory, (await mcp.refused('download_documents', { id, directory })).code]).toEqual([
        directory,
        'file_outside',
      ]);
  });

  test.skipIf(!SLOW)('that exist are replaced only where the call says so', async () => {
    mcp = await startMcp(['mcp'], { folder });
    const id = await sent();
    const path = join(folder, 'contract.pdf');
    await writeFile(path, 'mine');
    const input = { id, original: true };
    expect(await mcp.refused('download_documents', input)).toMatchObject({ code: 'file_exists' });
    expect(await readFile(path, 'utf8')).toBe('mine');
    await mcp.call('download_documents', { ...input, replace: true });
    expect((await readFile(path)).subarray(0, 4).toString()).toBe('%PDF');
  });

  test.skipIf(!SLOW)('of a directory that does not exist are no reason to start', async () => {
    await expect(startMcp(['mcp', '--root', 'nowhere'], { folder })).rejects.toThrow();
  });
});

describe('for a service with real recipients', () => {
  const open = async (words: string[], answer?: (message: string) => object) => {
    harness = await openHarness('over HTTP');
    const { access_token = '' } = await harness.client['sandbox.token']({ body: {} });
    await mkdir(join(folder, '.esign', 'config'), { recursive: true, mode: 0o700 });
    await writeFile(
      join(folder, '.esign', 'config', 'config.json'),
      JSON.stringify({ profiles: { work: { base_url: harness.baseUrl } } }),
      { mode: 0o600 },
    );
    const env = { ESIGN_ACCESS_TOKEN: access_token };
    mcp = await startMcp(['mcp', '--profile', 'work', ...words], { folder, env, answer });
    return access_token;
  };
  const draft = { files: ['contract.pdf'], to: [ADA], draft: true };
  const send = { files: ['contract.pdf'], to: [ADA] };
  const inbox = async () => (await harness!.client['sandbox.mail']({ query: {} })).items;

  test('a client that shows no form sends nothing, and a draft needs none', async () => {
    await open([]);
    expect(await mcp!.refused('send_documents', send)).toMatchObject({
      code: 'confirmation_unavailable',
      hint: expect.stringContaining('--allow-send'),
    });
    expect(await inbox()).toEqual([]);
    expect(await mcp!.call('send_documents', draft)).toMatchObject({ outcome: 'draft' });
    expect(mcp!.tools.filter(({ name }) => name.startsWith('sandbox_'))).toEqual([]);
  });

  test('a person sees what is sent and to whom, and decides', async () => {
    const asked: string[] = [];
    const answers: object[] = [
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: { confirmed: false } },
      { action: 'accept', content: { confirmed: true } },
    ];
    await open([], (message) => {
      asked.push(message);
      return answers[asked.length - 1]!;
    });
    for (const _ of [1, 2, 3])
      expect(await mcp!.refused('send_documents', send)).toMatchObject({ code: 'not_confirmed' });
    expect(await inbox()).toEqual([]);
    const { id, url } = await mcp!.call('send_documents', send);
    expect(asked).toHaveLength(4);
    expect(asked[3]).toContain('contract.pdf, 3 pages');
    expect(asked[3]).toContain('1. Ada <ada@example.com>');
    expect(asked[3]).toContain(`work (${harness!.baseUrl})`);
    expect(await inbox()).toHaveLength(1);
    // The signing page is for the recipient alone.
    expect(url).toBeUndefined();
    expect(await mcp!.call('show_transaction', { id })).not.toHaveProperty('url');
    answers.push({ action: 'decline' }, { action: 'accept', content: { confirmed: true } });
    expect(await mcp!.refused('cancel_transaction', { id, reason: 'x' })).toMatchObject({
      code: 'not_confirmed',
    });
    expect(asked[4]).toContain('Cancel');
    expect(await mcp!.call('cancel_transaction', { id, reason: 'x' })).toMatchObject({
      outcome: 'cancelled',
    });
  });

  test.skipIf(!SLOW)('what changed after the question was asked is not sent', async () => {
    await open([], () => ({ action: 'accept', content: { confirmed: true } }));
    const other = await readFile(CONTRACT);
    await mcp!.close();
    await open([], async () => {
      await writeFile(join(folder, 'contract.pdf'), Buffer.concat([other, Buffer.from('\n')]));
      return { action: 'accept', content: { confirmed: true } };
    });
    expect(await mcp!.refused('send_documents', send)).toMatchObject({ code: 'confirmation_outdated' });
    expect(await inbox()).toEqual([]);
  });

  test.skipIf(!SLOW)('--allow-send sends without a question', async () => {
    await open(['--allow-send']);
    expect(await mcp!.call('send_documents', send)).toMatchObject({ outcome: 'started' });
    expect(await inbox()).toHaveLength(1);
  });

  test('no secret of the store is in anything that was said', async () => {
    const token = await open(['--allow-send']);
    const { id } = await mcp!.call('send_documents', send);
    await mcp!.call('show_transaction', { id });
    await mcp!.call('search_documents', { refresh: true });
    await mcp!.call('wait_for_transaction', { id, timeout_seconds: 1 });
    await mcp!.call('remind_recipient', { id }).catch(() => undefined);
    await mcp!.refused('load_template', { id: 'unknown' });
    const said = mcp!.transcript.join('\n');
    const [mail] = await inbox();
    const signing = /token=([\w-]+)/.exec(JSON.stringify(mail))?.[1] ?? '';
    expect(signing).not.toBe('');
    for (const secret of [token, signing, harness!.service.controlSecret]) expect(said).not.toContain(secret);
    expect(said).not.toMatch(/token=|whsec_/);
  });
});

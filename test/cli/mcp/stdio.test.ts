// `esign mcp` as a client starts it: every tool over standard input and output, in the sandbox.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callsWithPathsAsIds, type McpConnection, startMcp } from '../../support/mcp-client.ts';
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

beforeEach(async () => {
  folder = await temporaryFolder();
  await copyFile(CONTRACT, join(folder, 'contract.pdf'));
});
afterEach(async () => {
  await mcp?.close();
  await rm(folder, { recursive: true, force: true });
  mcp = undefined;
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

describe('a client without measure', () => {
  test.skipIf(!SLOW)('is refused more than sixteen calls at a time', async () => {
    mcp = await startMcp(['mcp'], { folder });
    const id = await sent();
    const waiting = Array.from({ length: 20 }, () =>
      mcp!.content('wait_for_transaction', { id, timeout_seconds: 5 }),
    );
    const refused = (await Promise.all(waiting)).filter(([first]) =>
      JSON.stringify(first).includes('calls_too_many'),
    );
    expect(refused).toHaveLength(4);
    expect(await mcp.call('show_transaction', { id })).toMatchObject({ id });
  });

  test('reads a short error, whatever it has called', async () => {
    mcp = await startMcp(['mcp'], { folder });
    const { code, message } = await mcp.refused('read_words', { file: 'x'.repeat(100_000) });
    expect([code, message.length < 2100, message]).toEqual([
      'file_not_found',
      true,
      expect.stringContaining('characters)'),
    ]);
    const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`x${at}`, at]));
    expect((await mcp.refused('read_words', { file: 'x', ...unknown })).message.length).toBeLessThan(2100);
    expect(await mcp.refused('preview_page', {})).toMatchObject({ code: 'value_invalid' });
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

  test('are no IDs: no tool takes a path as one', async () => {
    await writeFile(join(folder, 'contract'), await readFile(CONTRACT));
    mcp = await startMcp(['mcp'], { folder });
    expect(await callsWithPathsAsIds(mcp)).toEqual([]);
    // Its name could be an ID.
    expect(await mcp.refused('preview_page', { id: 'contract' })).toMatchObject({
      code: 'transaction_not_found',
    });
  }, 60_000);

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

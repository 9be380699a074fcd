// `tx fields --edit` and `tx send --edit` at a terminal: they wait until the sender is done in the editor. The browser is a program that
// signs in by the link, saves a field and presses Done.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listenForEditingEnd } from '../../../src/cli/sending/edit.ts';
import { runAtTerminal } from '../../support/command-line/at-terminal.ts';
import { runInProcess } from '../../support/command-line/in-process.ts';
import { pagesPdf } from '../../support/documents/pdf.ts';
import { createStoryFixture, type StoryFixture } from '../../support/stories/story.ts';
import { SLOW } from '../../support/tier.ts';

let fixture: StoryFixture;

beforeEach(async () => {
  fixture = await createStoryFixture();
});
afterEach(() => fixture.close());

/** Follows the sign-in link as a browser does, places a date, and leaves by the address of the button Done. */
const EDIT = `
const [editor] = process.argv.slice(2);
const link = (await fetch(editor, { redirect: 'manual' })).headers.get('location');
const signedIn = await fetch(link, { redirect: 'manual' });
const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0]).join('; ');
const address = new URL(signedIn.headers.get('location'), link);
const page = await (await fetch(address, { headers: { cookie } })).text();
const plain = (text) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
const { path, token, revision, fields, recipients, documents } = JSON.parse(plain(/data-editor="([^"]*)"/.exec(page)[1]));
const date = { type: 'date', page: 0, width: 90, height: 20, positionX: 100, positionY: 100 };
const ada = recipients.find(({ role }) => role !== 'sender');
const saved = await fetch(new URL(path, link), {
  method: 'POST',
  headers: { cookie, origin: address.origin, 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({
    [token.name]: token.value,
    revision,
    fields: JSON.stringify([...fields, { ...date, recipient_id: ada.id, document_id: documents[0].id }]),
  }),
});
if ((await saved.json()).kind === 'saved') await fetch(plain(/data-done href="([^"]*)"/.exec(page)[1]));
`;

/** @param program what the browser does with the address */
async function useBrowser(program: string): Promise<void> {
  const browser = join(fixture.folder, 'browser');
  await writeFile(join(fixture.folder, 'browser.mjs'), program);
  await writeFile(
    browser,
    `#!/bin/sh\nexec '${process.execPath}' '${join(fixture.folder, 'browser.mjs')}' "$1"\n`,
  );
  await chmod(browser, 0o755);
  fixture.env.ESIGN_BROWSER = browser;
}

async function createDraft(): Promise<string> {
  const words = ['tx', 'send', 'contract.pdf', '--to', 'Ada <ada@example.com>', '--draft', '--json'];
  return JSON.parse((await runInProcess(fixture, words)).out).id;
}

/** A document without a line to sign on. */
async function plainPdf(): Promise<string> {
  await writeFile(join(fixture.folder, 'plain.pdf'), pagesPdf(['/MediaBox[0 0 595 842]']));
  return 'plain.pdf';
}

const shown = async (id: string) =>
  JSON.parse((await runInProcess(fixture, ['tx', 'show', id, '--json'])).out);
const typesOf = async (id: string): Promise<string[]> =>
  JSON.parse((await runInProcess(fixture, ['tx', 'fields', id, '--json'])).out).items.map(
    ({ type }: { type: string }) => type,
  );

describe('the editor of fields', () => {
  test.skipIf(!SLOW)('is waited for by tx fields, which shows the fields then', async () => {
    await useBrowser(EDIT);
    const { said, ended } = runAtTerminal(fixture, ['tx', 'fields', await createDraft(), '--edit']);
    expect(await ended).toBe(0);
    expect(said.err).toContain('then press Done there');
    expect(said.out).toMatch(/signature[\s\S]*date/);
  });

  test.skipIf(!SLOW)('is waited for by tx send, which starts the draft then', async () => {
    await useBrowser(EDIT);
    const file = await plainPdf();
    const words = ['tx', 'send', file, '--to', 'Ada <ada@example.com>', '--edit'];
    const { said, ended } = runAtTerminal(fixture, words);
    expect(await ended).toBe(0);
    expect(said.err).toContain('then press "Done and send" there');
    expect(said.out).toContain('Sent to Ada');
    const [id = ''] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(said.out) ?? [];
    expect((await shown(id)).status).toBe('started');
    expect(await typesOf(id)).toEqual(['signature', 'date']);
  });

  test.skipIf(!SLOW)('keeps a draft in which somebody has nothing to sign in, and says so', async () => {
    await useBrowser(EDIT);
    // The editor suggests a signature at a line of this contract, so there is none beside it. Nobody can sign a draft: the command ends.
    const words = ['tx', 'send', 'contract.pdf', '--to', 'Ada <ada@example.com>', '--edit', '--wait'];
    const { said, ended } = runAtTerminal(fixture, words);
    expect(await ended).toBe(0);
    expect(said.err).toContain('Ada <ada@example.com> has no field for a signature.');
    expect(said.out).toContain('Created the draft.');
    const [id = ''] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(said.out) ?? [];
    expect([(await shown(id)).status, await typesOf(id)]).toEqual(['draft', ['date']]);
  });

  test.skipIf(!SLOW)('leaves a draft when tx send --draft has waited for it', async () => {
    await useBrowser(EDIT);
    const words = ['tx', 'send', 'contract.pdf', '--to', 'Ada <ada@example.com>', '--edit', '--draft'];
    const { said, ended } = runAtTerminal(fixture, words);
    expect(await ended).toBe(0);
    expect(said.out).toContain('Created the draft.');
  });

  test.skipIf(!SLOW)('can be left waiting, and the draft stays', async () => {
    await useBrowser('');
    const id = await createDraft();
    const { said, ended, stop } = runAtTerminal(fixture, ['tx', 'fields', id, '--edit']);
    await expect.poll(() => said.err).toContain('then press Done there');
    stop();
    expect(await ended).toBe(130);
    expect((await shown(id)).status).toBe('draft');
  });

  test('prints only its address for a program, or with --no-wait', async () => {
    const id = await createDraft();
    const { out, code } = await runInProcess(fixture, ['tx', 'fields', id, '--edit', '--json']);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        id,
        url: expect.stringMatching(/\/transactions\/[0-9a-f-]{36}\/edit$/),
        sign_in_url: expect.stringContaining('/sign-in/link?token='),
        opened: false,
      },
    ]);
  });

  test('is refused for a transaction that was started, and without a terminal', async () => {
    const words = ['tx', 'send', 'contract.pdf', '--to', 'Ada <ada@example.com>', '--json'];
    const { id } = JSON.parse((await runInProcess(fixture, words)).out);
    const refused = await runInProcess(fixture, ['tx', 'fields', id, '--edit', '--json']);
    expect([refused.code === 0, refused.err]).toEqual([
      false,
      expect.stringContaining('transaction_not_draft'),
    ]);
    const sent = await runInProcess(fixture, [...words, '--edit']);
    expect([sent.code, sent.err]).toEqual([2, expect.stringContaining('edit_without_terminal')]);
    const alone = await runInProcess(fixture, ['tx', 'fields', id, '--no-wait']);
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('--no-wait needs --edit')]);
  });
});

describe('the end of editing', () => {
  test('comes only from the address that has the secret', async () => {
    const end = await listenForEditingEnd('secret', async () => '/', false);
    const { origin } = new URL(end.url);
    expect((await fetch(`${origin}/edited/other`)).status).toBe(404);
    expect((await fetch(end.url, { method: 'POST' })).status).toBe(404);
    expect(end.hasCome()).toBe(false);
    const page = await fetch(end.url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('The fields are saved.')]);
    expect(end.hasCome()).toBe(true);
    await end.close();
    await expect(fetch(end.url)).rejects.toThrow();
  });

  test.each([
    [true, 'The command in your terminal sends the transaction now.'],
    [false, 'Nothing was sent.'],
  ])('says whether the draft is sent (%s)', async (sends, sentence) => {
    const end = await listenForEditingEnd('secret', async () => '/', sends);
    expect(await (await fetch(end.url)).text()).toContain(sentence);
    await end.close();
  });

  test('leads to the editor as often as it is opened in the browser that opened it first', async () => {
    let links = 0;
    const end = await listenForEditingEnd(
      'secret',
      async (returnTo) => {
        links += 1;
        return `http://127.0.0.1/sign-in/${links}?return_to=${returnTo}`;
      },
      false,
    );
    const open = (cookie = '') => fetch(end.editorUrl, { redirect: 'manual', headers: { cookie } });
    const first = await open();
    const [cookie = ''] = (first.headers.get('set-cookie') ?? '').split(';');
    const again = await open(`theme=dark; ${cookie}`);
    expect([first, again].map(({ headers }) => headers.get('location'))).toEqual(
      [1, 2].map((link) => `http://127.0.0.1/sign-in/${link}?return_to=${end.url}`),
    );
    for (const other of ['', 'esign_editor=secret']) expect((await open(other)).status).toBe(403);
    expect(links).toBe(2);
    expect(end.url).not.toContain('secret');
    expect(end.hasCome()).toBe(false);
    await end.close();
  });
});

// `tx send --template` asks the people of the template as it was read. Where it changes before the service uses it, nobody is asked.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runInProcess } from '../../support/command-line/in-process.ts';
import { createDraft, fieldFor, type Person, readDetail } from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { type AlteringProxy, startAlteringProxy } from '../../support/servers/altering-proxy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ADA: Person = { name: 'Ada', email: 'ada@example.com' };
const EVE: Person = { name: 'Eve', email: 'eve@example.com' };

let harness: Harness;
let proxy: AlteringProxy;
let folder: string;

beforeEach(async () => {
  harness = await openHarness('over HTTP');
  proxy = await startAlteringProxy(harness.baseUrl);
  folder = await temporaryFolder();
});
afterEach(async () => {
  await proxy.close();
  await harness.close();
  await rm(folder, { recursive: true, force: true });
});

async function saveTemplate(people: Person[]): Promise<string> {
  const draft = await createDraft(harness, people);
  const params = { transactionId: draft.id };
  const fields = people.map(({ email }) => fieldFor(draft, email));
  await harness.client['transaction.fields']({ params, body: { fields } });
  return (await harness.client['sandbox.save_template']({ params, body: { name: 'NDA' } })).id;
}

/** Makes the service use another template than the command names, as if that had changed. */
function replaceTemplate(id: string): void {
  proxy.rules.alterRequest = ({ url, body }) =>
    url.endsWith('/templates') ? Buffer.from(JSON.stringify({ templates: [{ id }] })) : body;
}

async function send(...words: string[]) {
  const { access_token: token = '' } = await harness.client['sandbox.token']({ body: {} });
  const env = {
    ESIGN_BASE_URL: proxy.url,
    ESIGN_ACCESS_TOKEN: token,
    ESIGN_HOME: join(folder, '.esign'),
  };
  const { code, out, err } = await runInProcess({ env, folder }, ['tx', 'send', ...words, '--json']);
  return { code, ...JSON.parse(code === 0 ? out : (err.trim().split('\n').at(-1) ?? '')) };
}
const mails = async () => (await harness.client['sandbox.mail']({ query: {} })).items;

test.each([
  ['another person', [EVE], 'Eve <eve@example.com>'],
  ['one more person', [ADA, EVE], 'Ada <ada@example.com>, Eve <eve@example.com>'],
  ['a person of another name', [{ ...ADA, name: 'Adam' }], 'Adam <ada@example.com>'],
])('refuses to start where it asks %s', async (_, people, listed) => {
  const template = await saveTemplate([ADA]);
  replaceTemplate(await saveTemplate(people));
  const { code, error } = await send('--template', template);
  expect([code, error.code]).toEqual([6, 'recipients_changed']);
  expect(error.message).toContain(`it asks ${listed} instead of Ada <ada@example.com>`);
  expect(error.partial).toEqual({ id: expect.any(String) });
  expect((await readDetail(harness, error.partial.id)).status).toBe('draft');
  expect(await mails()).toEqual([]);
});

test('starts what is as it was read, and with --to asks those alone', async () => {
  const template = await saveTemplate([ADA]);
  expect(await send('--template', template)).toMatchObject({ code: 0, recipient: { email: ADA.email } });
  replaceTemplate(await saveTemplate([EVE]));
  expect(await send('--template', template, '--to', 'Bob <bob@example.com>')).toMatchObject({
    code: 0,
    recipient: { email: 'bob@example.com' },
  });
  expect((await mails()).map(({ to }) => to).sort()).toEqual([
    'Ada <ada@example.com>',
    'Bob <bob@example.com>',
  ]);
});

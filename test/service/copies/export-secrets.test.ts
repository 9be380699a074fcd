// A sandbox with every kind of secret is exported: with secrets the file has them, without secrets none of them is anywhere in its bytes, and the
// sandbox that imports it has new ones.
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBulkSqlite } from '../../../src/database/bulk-sqlite.ts';
import {
  ENCRYPTED_COLUMNS,
  SECRET_COLUMNS,
  SECRET_TABLES,
} from '../../../src/service/copies/portable-export.ts';
import { exportSandbox, importSandbox } from '../../../src/service/copies/sandbox-files.ts';
import type { MailMessage } from '../../../src/service/mail/letter.ts';
import { insertSession } from '../../../src/service/store/accounts/sessions.ts';
import { insertMail } from '../../../src/service/store/delivery/mails.ts';
import { hashSecret } from '../../../src/service/store/keys.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { findLink, insertLink } from '../../../src/service/store/transactions/signing.ts';
import {
  currentToken,
  endTransaction,
  readDetail,
  refusalOf,
  signWith,
  startTransaction,
  tokenOf,
  uploadContract,
} from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { FACTS, NOW } from '../../support/stores/databases.ts';
import { IMPORT_FACTS, SANDBOX_FACTS } from '../../support/stores/exported-sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let harness: Harness;
let place: string;
let started: string;
let completed: string;
let application: { client_id: string; client_secret: string };
/** By what they are. */
const secrets = new Map<string, string>();
const DOCUMENTS_TOKEN = 'documents-of-a-letter';

const urlOf = (token: string) => `http://localhost:8080/sign?token=${token}`;

beforeAll(async () => {
  [harness, place] = await Promise.all([
    openHarness('in process', { folder: await temporaryFolder() }),
    temporaryFolder(),
  ]);
  const { client, service, store } = harness;
  secrets.set('own token', service.ownToken).set('control secret', service.controlSecret);
  const note = (name: string, value: string | undefined) => secrets.set(name, value ?? '');
  const body = {
    name: 'W',
    endpoint: 'https://hooks.example.com',
    events: ['transaction_completed' as const],
  };
  const webhook = await client['webhook.create']({ body });
  note('webhook secret', webhook.secret);
  const rotated = await client['webhook.rotate']({ params: { webhookId: webhook.id }, body: {} });
  note('rotated webhook secret', rotated.secret);
  const app = await client['sandbox.add_client']({
    body: { name: 'A', callback_url: 'http://127.0.0.1:9/' },
  });
  application = { client_id: app.client_id, client_secret: app.client_secret ?? '' };
  note('client secret', app.client_secret);
  note('notification secret', app.notification_secret);
  const { access_token, refresh_token } = await client['sandbox.token']({ body: {} });
  note('access token', access_token);
  note('refresh token', refresh_token);
  note('code', (await client['sandbox.token']({ body: { kind: 'code' } })).code);
  note('password', 'correct horse battery staple');
  await client['sandbox.set_password']({ body: { password: 'correct horse battery staple' } });
  note(
    'sign-in link',
    new URL((await client['sandbox.sign_in_link']({ body: {} })).sign_in_url).searchParams.get('token') ?? '',
  );
  note('upload token', await uploadContract(harness));
  ({ id: completed } = await endTransaction(harness, 'completed'));
  const begun = await startTransaction(harness);
  started = begun.id;
  note('signing token', begun.token);
  await client['transaction.remind']({ params: { transactionId: started } });
  await client['sandbox.issue_certificate']({ body: { names: ['localhost'] } });
  await writeLetter(store);
  note('session', 'cookie-of-a-browser');
  await store.database.write(async (db) => {
    const user = await db.selectFrom('user').select('id').executeTakeFirstOrThrow();
    await insertSession(db, hashSecret('cookie-of-a-browser'), user.id, NOW);
    const attempt = { id: randomUUID(), subject: hashSecret('typed'), created_at: NOW };
    await db.insertInto('sign_in_attempt').values(attempt).execute();
    const stored = { fingerprint: '0'.repeat(64), status: 200, created_at: NOW };
    const answer_sealed = store.keys.encrypt(JSON.stringify({ url: urlOf(begun.token) }));
    await db
      .insertInto('idempotency')
      .values({ holder: 'h', key: 'k', ...stored, answer_sealed })
      .execute();
  });
  for (const { body: letter } of (await client['sandbox.mail']({ query: {} })).items)
    for (const [, token = ''] of letter.matchAll(/\/sign\?token=([\w-]+)/g)) note(`link ${token}`, token);
  for (const [name, value] of await hiddenValues(store)) note(name, value);
});

afterAll(async () => {
  await harness.close();
  for (const folder of [harness.folder, place]) await rm(folder, { recursive: true, force: true });
});

/** A letter to a recipient who has signed, whose link shows the documents. */
async function writeLetter({ database, keys }: Store): Promise<void> {
  const { template } = await readDetail(harness, completed);
  await database.write(async (db) => {
    const { company_id } = await db.selectFrom('user').select('company_id').executeTakeFirstOrThrow();
    const person = { name: 'Ada', email: 'ada@example.com' };
    const letter: MailMessage = {
      transaction: 'T',
      sender: person,
      documents: [],
      isProxy: false,
      message: '',
      until: null,
      timeZone: null,
      by: null,
      reason: null,
      url: urlOf(DOCUMENTS_TOKEN),
      urlLeadsTo: 'documents',
    };
    const recipient_id = template.recipients[1]?.id ?? '';
    const people = { from: person, replyTo: undefined, to: person, language: 'en' } as const;
    const mail = { ...people, attachments: [] };
    const at = { company_id, transaction_id: completed, now: NOW, newId: FACTS.newId };
    await insertMail(db, keys, { ...mail, recipient_id, kind: 'completed', subject: 'S', letter }, at);
    await insertLink(db, recipient_id, DOCUMENTS_TOKEN, NOW);
  });
}

/** Hashes, encrypted values, and the private keys in them. */
async function hiddenValues({ keys, folder }: Store): Promise<[string, string][]> {
  const connection = openBulkSqlite(join(folder ?? '', 'store.db'), { isReadOnly: true });
  const found: [string, string][] = [];
  for (const { name } of await connection.tables())
    for (const row of await connection.run(`select * from "${name}"`))
      for (const [column, value] of Object.entries(row)) {
        const path = `${name}.${column}`;
        const isHash = /hash|subject/.test(column) && Object.hasOwn(SECRET_TABLES, name);
        if (
          typeof value !== 'string' ||
          !(isHash || ENCRYPTED_COLUMNS.has(path) || Object.hasOwn(SECRET_COLUMNS, path))
        )
          continue;
        found.push([`${path} ${found.length}`, value]);
        if (name === 'authority')
          for (const [, key = ''] of keys.decrypt(value).matchAll(/"key":"([^"]+)"/g))
            found.push([`private key ${found.length}`, key]);
      }
  await connection.close();
  return found;
}

const write = (path: string, hasSecrets: boolean, folder = harness.folder) =>
  exportSandbox(folder, join(place, path), { ...SANDBOX_FACTS, secrets: hasSecrets });

/** The names of the secrets that are in a file, as they are or encoded. */
async function findIn(path: string): Promise<string[]> {
  const bytes = await readFile(join(place, path));
  const key = await readFile(join(harness.folder, 'key'));
  const forms = [key, ...(['hex', 'base64', 'base64url'] as const).map((form) => key.toString(form))];
  const found = [...secrets].filter(([, value]) => {
    const encoded = [
      value,
      Buffer.from(value).toString('base64').replace(/=+$/, ''),
      Buffer.from(value).toString('hex'),
    ];
    return encoded.some((form) => bytes.includes(form));
  });
  return [...found.map(([name]) => name), ...(forms.some((form) => bytes.includes(form)) ? ['key'] : [])];
}

test('has every secret of a store in the search', () => {
  expect([...secrets].filter(([, value]) => value.length < 8)).toEqual([]);
  const names = [...secrets.keys()].join();
  for (const table of Object.keys(SECRET_TABLES)) expect(names).toContain(`${table}.`);
  for (const column of Object.keys(SECRET_COLUMNS)) expect(names).toContain(column);
  expect(names).toContain('private key');
});

test('is without the key, its own token and what is derived from the key, even with secrets', async () => {
  await write('with.zip', true);
  const found = await findIn('with.zip');
  for (const name of ['key', 'own token', 'control secret', 'notification secret'])
    expect(found).not.toContain(name);
  // Those that are not stored as hashes are found, so that the search is one.
  for (const name of ['webhook secret', 'rotated webhook secret', 'signing token', `link ${DOCUMENTS_TOKEN}`])
    expect(found).toContain(name);
  expect(found.filter((name) => name.startsWith('private key')).length).toBeGreaterThan(3);
  expect(found.filter((name) => name.startsWith('password.hash'))).toHaveLength(1);
});

test('has no secret at all without secrets', async () => {
  await write('without.zip', false);
  expect(await findIn('without.zip')).toEqual([]);
});

describe('a sandbox that imports it', () => {
  test.each([true, false])('exports the same bytes again (secrets: %s)', async (hasSecrets) => {
    await write('first.zip', hasSecrets);
    const to = join(place, `to-${hasSecrets}`);
    await importSandbox(join(place, 'first.zip'), to, { ...IMPORT_FACTS, replaces: false });
    await write('second.zip', hasSecrets, to);
    expect((await readFile(join(place, 'second.zip'))).equals(await readFile(join(place, 'first.zip')))).toBe(
      true,
    );
  });

  test('has the same secrets where the file has them', async () => {
    await withImported(true, async (other) => {
      expect((await readDetail(other, started)).status).toBe('started');
      await other.clientWith(secrets.get('access token'))['user.me']();
      await signWith(other, secrets.get('signing token') ?? '');
      const root = ({ client }: Harness) => client['sandbox.authority']().then(({ sha256 }) => sha256);
      expect(await root(other)).toBe(await root(harness));
      expect(await exchange(other)).toMatchObject({ code: 'invalid_grant' });
    });
  });

  test('has new secrets where the file has none: of signing links, webhooks and certificates', async () => {
    await withImported(false, async (other) => {
      const access = other.clientWith(secrets.get('access token'))['user.me']();
      expect(await refusalOf(access)).toMatchObject({ status: 401 });
      expect(await refusalOf(signWith(other, secrets.get('signing token') ?? ''))).toMatchObject({
        code: 'signing_link_invalid',
      });
      const secret = await webhookSecret(other);
      expect(secret).toMatch(/^whsec_/);
      expect(secret).not.toBe(await webhookSecret(harness));
      expect(await exchange(other)).toMatchObject({ code: 'invalid_client' });
      const { items } = await other.client['sandbox.mail']({ query: {} });
      const links = items.flatMap(({ kind, transaction_id, body }) =>
        [...body.matchAll(/http:\S+\/sign\?token=[\w-]+/g)].map(([url]) => ({ kind, transaction_id, url })),
      );
      const token = await currentToken(other, started);
      const own = links.filter(({ transaction_id }) => transaction_id === started);
      expect(own.map(({ url }) => tokenOf(url))).toEqual([token, token]);
      const [documents] = links.filter(({ kind }) => kind === 'completed');
      const link = await other.store.database.read((db) => findLink(db, tokenOf(documents?.url ?? '')));
      expect(link).toMatchObject({ transaction_id: completed });
      await signWith(other, token);
      expect((await readDetail(other, started)).status).toBe('completed');
    });
  });
});

async function withImported(hasSecrets: boolean, use: (other: Harness) => Promise<void>): Promise<void> {
  const name = `${randomUUID()}.zip`;
  await write(name, hasSecrets);
  const folder = join(place, randomUUID());
  await importSandbox(join(place, name), folder, { ...IMPORT_FACTS, replaces: false });
  const other = await openHarness('in process', { folder });
  try {
    await use(other);
    expect(other.errors).toEqual([]);
  } finally {
    await other.close();
  }
}

/** The refusal of a code that is none, with the secret of the application. */
const exchange = (other: Harness) =>
  refusalOf(other.client['oauth.exchange_code']({ body: { ...application, code: 'none' } }));

const webhookSecret = ({ store }: Harness) =>
  store.database.read(async (db) => {
    const { secret_sealed } = await db
      .selectFrom('webhook')
      .select('secret_sealed')
      .executeTakeFirstOrThrow();
    return store.keys.decrypt(secret_sealed);
  });

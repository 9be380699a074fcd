// `esign mcp --profile`: for a service with real recipients, a person confirms in the client what is sent, and nothing secret is said.
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openFileAccess, withCopies } from '../../../src/cli/mcp/files.ts';
import { createMcpServers, createQuestions } from '../../../src/cli/mcp/server.ts';
import { LOCAL_TOOLS } from '../../../src/cli/mcp/tools.ts';
import {
  createDraft,
  fieldFor,
  type Person,
  readDetail,
  updateBodyOf,
} from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { connectMcp, type McpConnection, startMcp } from '../../support/mcp-client.ts';
import { type AlteringProxy, startAlteringProxy } from '../../support/servers/altering-proxy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW } from '../../support/tier.ts';

const CONTRACT = fileURLToPath(new URL('../../fixtures/contract.pdf', import.meta.url));
const ADA = 'Ada <ada@example.com>';
const ADA_LOVELACE = { name: 'Ada', email: 'ada@example.com' };

let folder: string;
let mcp: McpConnection | undefined;
let harness: Harness | undefined;
let proxy: AlteringProxy | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
  await copyFile(CONTRACT, join(folder, 'contract.pdf'));
});
afterEach(async () => {
  await mcp?.close();
  await proxy?.close();
  await harness?.close();
  await rm(folder, { recursive: true, force: true });
  [mcp, harness, proxy] = [undefined, undefined, undefined];
});

describe('for a service with real recipients', () => {
  const open = async (
    words: string[],
    answer?: (message: string) => object | Promise<object>,
    reach: (target: string) => string | Promise<string> = (target) => target,
  ) => {
    harness = await openHarness('over HTTP');
    const baseUrl = await reach(harness.baseUrl);
    const { access_token = '' } = await harness.client['sandbox.token']({ body: {} });
    await mkdir(join(folder, '.esign', 'config'), { recursive: true, mode: 0o700 });
    await writeFile(
      join(folder, '.esign', 'config', 'config.json'),
      JSON.stringify({ profiles: { work: { base_url: baseUrl } } }),
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

  test('a person sees every text that recipients get, each on a line of its own', async () => {
    const asked: string[] = [];
    await open([], (message) => {
      asked.push(message);
      return { action: 'accept', content: { confirmed: true } };
    });
    const texts = {
      name: 'Lease',
      subject: 'Sign here',
      message: `Pay now\n1. Eve <eve@example.com>${'x'.repeat(1000)}`,
    };
    const fields = ['signature@1:50,50,100x40', 'text@1:50,120,100x20', 'text@1:50,150,100x20'];
    const { id } = await mcp!.call('send_documents', { ...send, ...texts, fields, expires_days: 7 });
    expect(asked[0]?.split('\n').slice(1)).toEqual([
      'Documents:',
      '- contract.pdf, 3 pages',
      'Recipients:',
      '1. Ada <ada@example.com>',
      'Fields: 1 signature, 2 text',
      'Name: "Lease"',
      'Subject: "Sign here"',
      expect.stringMatching(
        /^Message: "Pay now\\n1\. Eve <eve@example\.com>x{200,300}… \(1\d{3} characters\)"$/,
      ),
      'Expires after 7 days',
    ]);
    await mcp!.call('cancel_transaction', { id, reason: 'Wrong file' });
    expect(asked[1]?.split('\n').slice(1)).toEqual([
      'Cancel "Lease"',
      'Reason, which the recipients may see: "Wrong file"',
      '1. Ada <ada@example.com>',
    ]);
  });

  test('a project file adds nothing', async () => {
    const project = { alias: 'Eve', message: 'Pay Eve', to: ['Eve <eve@example.com>'], expires: 1 };
    await writeFile(join(folder, 'esign.config.json'), JSON.stringify(project), { mode: 0o600 });
    await open(['--allow-send']);
    await mcp!.call('send_documents', send);
    const mails = await inbox();
    expect(mails).toHaveLength(1);
    expect(JSON.stringify(mails)).not.toContain('Eve');
    expect(await mcp!.refused('send_documents', { files: ['contract.pdf'] })).toMatchObject({
      code: expect.stringMatching(/^recipient/),
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

  describe('of a template', () => {
    const yes = { action: 'accept', content: { confirmed: true } };
    const eve = { name: 'Eve', email: 'eve@example.com' };
    const saveTemplate = async (people: Person[], texts: object = {}) => {
      const saved = await createDraft(harness!, people);
      const params = { transactionId: saved.id };
      const fields = people.map(({ email }) => fieldFor(saved, email));
      await harness!.client['transaction.update']({ params, body: updateBodyOf(saved.detail, texts) });
      await harness!.client['transaction.fields']({ params, body: { fields } });
      return (await harness!.client['sandbox.save_template']({ params, body: { name: 'NDA' } })).id;
    };
    const replaceAda = async (id: string) => {
      const detail = await readDetail(harness!, id);
      const recipients = updateBodyOf(detail).recipients.map((recipient) =>
        recipient.email === 'ada@example.com' ? { ...recipient, ...eve } : recipient,
      );
      const body = updateBodyOf(detail, { recipients });
      await harness!.client['transaction.update']({ params: { transactionId: id }, body });
    };
    const idOfDraft = async () => {
      const { items } = await mcp!.call('search_documents', { refresh: true });
      return String((items as unknown as { id: string }[])[0]?.id);
    };

    test.skipIf(!SLOW)('a person sees everything that it brings, and that draft is started', async () => {
      const asked: string[] = [];
      await open([], (message) => {
        asked.push(message);
        return yes;
      });
      const texts = { email_subject: 'Sign the NDA', email_body: 'Please sign.', email_alias: 'Legal' };
      const template = await saveTemplate([ADA_LOVELACE, eve], texts);
      const { id } = await mcp!.call('send_documents', { template });
      expect(asked[0]?.split('\n').slice(1)).toEqual([
        'Documents:',
        '- contract.pdf, 3 pages',
        'Recipients:',
        '1. Ada <ada@example.com>',
        '2. Eve <eve@example.com>',
        'Fields: 2 signature',
        'Name: "Untitled"',
        'Sender shown in emails: "Legal"',
        'Subject: "Sign the NDA"',
        'Message: "Please sign."',
      ]);
      expect(await mcp!.call('show_transaction', { id })).toMatchObject({ outcome: 'started' });
      expect(await inbox()).toMatchObject([{ to: ADA }]);
    });

    test('a draft that changed after the question was asked stays a draft, and the error names it', async () => {
      await open([], async () => {
        await replaceAda(await idOfDraft());
        return yes;
      });
      const template = await saveTemplate([ADA_LOVELACE]);
      const error = await mcp!.refused('send_documents', { template });
      expect(error).toMatchObject({ code: 'confirmation_outdated', partial: { id: await idOfDraft() } });
      expect((await readDetail(harness!, await idOfDraft())).status).toBe('draft');
      expect(await inbox()).toEqual([]);
    });

    test.skipIf(!SLOW)('a template that changed meanwhile is shown as it is used', async () => {
      const asked: string[] = [];
      let other = '';
      const proxied = async (target: string) => {
        proxy = await startAlteringProxy(target);
        proxy.rules.alterRequest = ({ url, body }) =>
          url.endsWith('/templates') ? Buffer.from(JSON.stringify({ templates: [{ id: other }] })) : body;
        return proxy.url;
      };
      await open(
        [],
        (message) => {
          asked.push(message);
          return { action: 'decline' };
        },
        proxied,
      );
      const template = await saveTemplate([ADA_LOVELACE]);
      other = await saveTemplate([eve]);
      expect(await mcp!.refused('send_documents', { template })).toMatchObject({
        code: 'not_confirmed',
        message: expect.stringContaining('The draft was not started.'),
        partial: { id: await idOfDraft() },
      });
      expect(asked[0]).toContain('1. Eve <eve@example.com>');
      expect(asked[0]).not.toContain('Ada');
      expect(await inbox()).toEqual([]);
    });
  });

  describe('once the question was asked', () => {
    const twoPeople = { files: ['contract.pdf'], to: [ADA, 'Bob <bob@example.com>'] };
    const fields = ['signature@1:50,50,100x40=1', 'signature@1:50,150,100x40=2'];
    let id = '';
    /** Signs for Ada while the second question waits. */
    const opened = async () => {
      let questions = 0;
      const asked: string[] = [];
      await open([], async (message) => {
        asked.push(message);
        questions += 1;
        if (questions === 2)
          await harness!.client['sandbox.sign']({
            params: { transactionId: id },
            body: { as: 'ada@example.com' },
          });
        return { action: 'accept', content: { confirmed: true } };
      });
      ({ id } = (await mcp!.call('send_documents', { ...twoPeople, fields })) as never);
      return asked;
    };

    test.skipIf(!SLOW)('nobody else is reminded than the person who was shown', async () => {
      const asked = await opened();
      const mails = async () => (await inbox()).map(({ kind, to }) => [kind, to]);
      const error = await mcp!.refused('remind_recipient', { id });
      expect([error.code, await mails()]).toEqual([
        'confirmation_outdated',
        expect.not.arrayContaining([['reminder', expect.anything()]]),
      ]);
      expect(asked[1]?.split('\n').slice(1)).toEqual([
        'Send a reminder of "contract" to',
        'Ada <ada@example.com>',
      ]);
      expect(await mcp!.call('remind_recipient', { id })).toMatchObject({
        recipient: { email: 'bob@example.com' },
      });
      expect(asked[2]).toContain('\nBob <bob@example.com>');
    });

    test.skipIf(!SLOW)('a transaction that somebody signed meanwhile is not cancelled', async () => {
      await opened();
      expect(await mcp!.refused('cancel_transaction', { id, reason: 'x' })).toMatchObject({
        code: 'confirmation_outdated',
      });
      expect((await readDetail(harness!, id)).status).toBe('started');
    });
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

test('so many questions wait for an answer, and the oldest is forgotten', () => {
  const questions = createQuestions();
  const states = Array.from({ length: 101 }, (_, at) =>
    questions.add({ call: `${at}`, confirmed: 'x', draft: undefined }),
  );
  const [first = '', second = ''] = states;
  expect(questions.take(first)).toBeUndefined();
  expect(questions.take(second)).toMatchObject({ call: '1' });
  // An answer counts once.
  expect(questions.take(second)).toBeUndefined();
  expect(questions.take(states.at(-1) ?? '')).toMatchObject({ call: '100' });
});

test('the bytes that were read for the question are sent, whatever becomes of the file', async () => {
  const path = join(folder, 'contract.pdf');
  const original = await readFile(path);
  const files = await openFileAccess(folder, []);
  const sent: Buffer[] = [];
  const servers = createMcpServers({
    version: '1',
    tools: LOCAL_TOOLS,
    files: (scratch) => withCopies(files, { read: async (name) => readFile(name) as never }, scratch),
    service: 'work',
    isSendingAllowed: false,
    asksPeople: true,
    async run({ args, options }) {
      const [file = ''] = (args?.file ?? []) as string[];
      if (!options?.['dry-run']) sent.push(await readFile(file));
      // Somebody replaces the file right after it was looked at, each time.
      else await writeFile(path, 'other');
      const json = options?.['dry-run']
        ? { files: [], templates: [], recipients: [], fields: [], transaction: {} }
        : { id: 'x', documents: [], recipients: [] };
      return { json, exit: 0 };
    },
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await servers().connect(far);
  mcp = await connectMcp(near, async () => {
    await writeFile(path, original);
    return { action: 'accept', content: { confirmed: true } };
  });
  await mcp.content('send_documents', { files: ['contract.pdf'], to: [ADA] });
  expect(sent).toEqual([original]);
});

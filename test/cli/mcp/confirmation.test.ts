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

type FieldsOf = readonly Parameters<typeof fieldFor>[2][];

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
    const forms: string[] = [];
    const answers: object[] = [
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: { confirmed: false } },
      { action: 'accept', content: { confirmed: true } },
    ];
    await open([], (message) => {
      forms.push(message);
      return answers[forms.length - 1]!;
    });
    for (const _ of [1, 2, 3])
      expect(await mcp!.refused('send_documents', send)).toMatchObject({ code: 'not_confirmed' });
    expect(await inbox()).toEqual([]);
    const { id, url } = await mcp!.call('send_documents', send);
    expect(forms).toHaveLength(4);
    expect(forms[3]).toContain('contract.pdf, 3 pages');
    expect(forms[3]).toContain('1. Ada <ada@example.com>');
    expect(forms[3]).toContain(`work (${harness!.baseUrl})`);
    expect(await inbox()).toHaveLength(1);
    // The signing page is for the recipient alone.
    expect(url).toBeUndefined();
    expect(await mcp!.call('show_transaction', { id })).not.toHaveProperty('url');
    answers.push({ action: 'decline' }, { action: 'accept', content: { confirmed: true } });
    expect(await mcp!.refused('cancel_transaction', { id, reason: 'x' })).toMatchObject({
      code: 'not_confirmed',
    });
    expect(forms[4]).toContain('Cancel');
    expect(await mcp!.call('cancel_transaction', { id, reason: 'x' })).toMatchObject({
      outcome: 'cancelled',
    });
  });

  test('a person sees every text that recipients get, each on a line of its own', async () => {
    const forms: string[] = [];
    await open([], (message) => {
      forms.push(message);
      return { action: 'accept', content: { confirmed: true } };
    });
    const texts = {
      name: 'Lease',
      subject: 'Sign here',
      message: `Pay now\n1. Eve <eve@example.com>${'x'.repeat(1000)}`,
    };
    const fields = ['signature@1:50,50,100x40', 'text@1:50,120,100x20', 'text@1:50,150,100x20'];
    const { id } = await mcp!.call('send_documents', { ...send, ...texts, fields, expires_days: 7 });
    expect(forms[0]?.split('\n').slice(1)).toEqual([
      'Documents:',
      '- contract.pdf, 3 pages',
      'Recipients:',
      '1. Ada <ada@example.com>',
      'Expires after 7 days',
      'Fields: 1 signature, 2 text',
      'Name: "Lease"',
      'Subject: "Sign here"',
      `Message: "Pay now\\n1. Eve <eve@example.com>${'x'.repeat(1000)}"`,
    ]);
    await mcp!.call('cancel_transaction', { id, reason: 'Wrong file' });
    expect(forms[1]?.split('\n').slice(1)).toEqual([
      'Cancel "Lease"',
      'Reason, which the recipients may see: "Wrong file"',
      '1. Ada <ada@example.com>',
    ]);
  });

  /** Declines each question. @returns the questions */
  const openDeclining = async (fieldValues = true) => {
    const forms: string[] = [];
    await open([], (message) => {
      forms.push(message);
      return { action: 'decline' };
    });
    await writeFile(
      join(folder, '.esign', 'config', 'config.json'),
      JSON.stringify({ profiles: { work: { base_url: harness!.baseUrl, field_values: fieldValues } } }),
      { mode: 0o600 },
    );
    return forms;
  };
  const fieldLines = (message = '') => {
    const lines = message.split('\n');
    return lines.slice(
      lines.findIndex((line) => line.startsWith('Fields:')),
      lines.findIndex((line) => line.startsWith('Name:')),
    );
  };

  test('a person sees every text that fields bring', async () => {
    const forms = await openDeclining();
    await copyFile(CONTRACT, join(folder, 'annex.pdf'));
    const fields = [
      'signature@1:50,50,100x40',
      'text@1:50,100,300x20=1,readonly,help=Pay to IBAN XX00 at evil.example,value=Ada owes Mallory 1000000 EUR',
      'select@2:50,140,100x20=1,label=Colour,options=Red|Blue "dark"\u202e',
      'date@last:50,180,100x20=1,document=2,value=today',
      'text@1:50,220,100x20=1,label=text',
      'text@"For the Customer",document=1,help=As in C:\\passport',
    ];
    const both = { ...send, files: ['contract.pdf', 'annex.pdf'], fields };
    expect(await mcp!.refused('send_documents', both)).toMatchObject({ code: 'not_confirmed' });
    expect(fieldLines(forms[0])).toEqual([
      'Fields: 1 signature, 3 text, 1 select, 1 date',
      '- text on page 1 of "contract.pdf", read-only: value "Ada owes Mallory 1000000 EUR", help "Pay to IBAN XX00 at evil.example"',
      '- select on page 2 of "contract.pdf": label "Colour", option "Red", option "Blue \\"dark\\"\\u{202e}"',
      '- date on page 3 of "annex.pdf": value "today"',
      expect.stringMatching(/^- text on page \d of "\w+\.pdf": help "As in C:\\\\passport"$/),
    ]);
  });

  test.skipIf(!SLOW)(
    'a person sees the values that are drawn into documents for a service without values of fields',
    async () => {
      const forms = await openDeclining(false);
      const fields = ['signature@1:50,50,100x40', 'text@2:50,100,300x20,readonly,value=Ada owes 1000000 EUR'];
      await mcp!.refused('send_documents', { ...send, fields });
      expect(fieldLines(forms[0])).toEqual([
        'Fields: 1 signature',
        '- text on page 2, written into the document: value "Ada owes 1000000 EUR"',
      ]);
    },
  );

  test.skipIf(!SLOW)('texts of fields that nobody would read to the end are not asked about', async () => {
    const forms = await openDeclining();
    const labels = (count: number) =>
      Array.from({ length: count }, (_, at) => `text@1:50,${50 + at * 12},100x10,label=L${at}`);
    await mcp!.refused('send_documents', { ...send, fields: labels(50) });
    expect(fieldLines(forms[0])).toHaveLength(51);
    const help = (length: number) => [`text@1:50,50,100x40,help=${'x'.repeat(length)}`];
    await mcp!.refused('send_documents', { ...send, fields: help(300) });
    expect(forms).toHaveLength(2);
    const options = labels(40).map((spec) => `${spec},options=${'x'.repeat(255)}|b`);
    const tooLong = [
      [labels(51), '51 fields have texts, and at most 50 are shown'],
      [help(301), `"${'x'.repeat(40)}…" has 301 characters, and at most 300 are shown`],
      [options.map((spec) => spec.replace('text@', 'select@')), 'characters, and at most 10000 are shown'],
    ] as const;
    for (const [fields, why] of tooLong)
      expect(await mcp!.refused('send_documents', { ...send, fields })).toMatchObject({
        code: 'confirmation_too_long',
        message: expect.stringContaining(why),
      });
    expect(forms).toHaveLength(2);
    expect(await inbox()).toEqual([]);
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
    const saveTemplate = async (people: Person[], texts: object = {}, more: FieldsOf = []) => {
      const saved = await createDraft(harness!, people);
      const params = { transactionId: saved.id };
      const fields = people.map(({ email }) => fieldFor(saved, email));
      fields.push(...more.map((field) => fieldFor(saved, 'ada@example.com', field)));
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
      const forms: string[] = [];
      await open([], (message) => {
        forms.push(message);
        return yes;
      });
      const texts = { email_subject: 'Sign the NDA', email_body: 'Please sign.', email_alias: 'Legal' };
      const template = await saveTemplate([ADA_LOVELACE, eve], texts);
      const { id } = await mcp!.call('send_documents', { template });
      expect(forms[0]?.split('\n').slice(1)).toEqual([
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

    test.skipIf(!SLOW)(
      'a person sees every text that its fields bring, and too long a one is not asked about',
      async () => {
        const forms = await openDeclining();
        const texts = { value: 'Ada owes 1000000 EUR', helper_text: 'Pay to evil.example', readonly: true };
        const template = await saveTemplate([ADA_LOVELACE], {}, [{ type: 'text', page: 1, ...texts }]);
        await mcp!.refused('send_documents', { template });
        expect(fieldLines(forms[0])).toEqual([
          'Fields: 1 signature, 1 text',
          '- text on page 2, read-only: value "Ada owes 1000000 EUR", help "Pay to evil.example"',
        ]);
        const long = [{ type: 'text', helper_text: 'x'.repeat(301) }] as FieldsOf;
        const tooLong = await saveTemplate([ADA_LOVELACE], {}, long);
        const error = await mcp!.refused('send_documents', { template: tooLong });
        expect(error).toMatchObject({ code: 'confirmation_too_long', partial: { id: await idOfDraft() } });
        expect(forms).toHaveLength(1);
      },
    );

    test('no file reaches the service beside a template before a person has confirmed', async () => {
      const forms = await openDeclining();
      const template = await saveTemplate([ADA_LOVELACE]);
      const both = { ...send, to: undefined, template };
      expect(await mcp!.refused('send_documents', both)).toMatchObject({ code: 'template_with_files' });
      expect(forms).toEqual([]);
      expect(await mcp!.call('search_documents', {})).toMatchObject({ items: [] });
      expect(await mcp!.call('send_documents', { ...both, draft: true })).toMatchObject({ outcome: 'draft' });
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
      const forms: string[] = [];
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
          forms.push(message);
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
      expect(forms[0]).toContain('1. Eve <eve@example.com>');
      expect(forms[0]).not.toContain('Ada');
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
      const forms: string[] = [];
      await open([], async (message) => {
        forms.push(message);
        questions += 1;
        if (questions === 2)
          await harness!.client['sandbox.sign']({
            params: { transactionId: id },
            body: { as: 'ada@example.com' },
          });
        return { action: 'accept', content: { confirmed: true } };
      });
      ({ id } = (await mcp!.call('send_documents', { ...twoPeople, fields })) as never);
      return forms;
    };

    test.skipIf(!SLOW)('nobody else is reminded than the person who was shown', async () => {
      const forms = await opened();
      const mails = async () => (await inbox()).map(({ kind, to }) => [kind, to]);
      const error = await mcp!.refused('remind_recipient', { id });
      expect([error.code, await mails()]).toEqual([
        'confirmation_outdated',
        expect.not.arrayContaining([['reminder', expect.anything()]]),
      ]);
      expect(forms[1]?.split('\n').slice(1)).toEqual([
        'Send a reminder of "contract" to',
        'Ada <ada@example.com>',
      ]);
      expect(await mcp!.call('remind_recipient', { id })).toMatchObject({
        recipient: { email: 'bob@example.com' },
      });
      expect(forms[2]).toContain('\nBob <bob@example.com>');
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

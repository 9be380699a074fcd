// `tx upload` with the parts of a context that it uses: files get the fields of their tags and forms one after another, for the
// recipients of the draft and those that are added; what cannot be done is refused before the first upload, or said.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../../../src/api/client.ts';
import type { CommandContext } from '../../../../src/cli/command/context.ts';
import type { PartialFailure } from '../../../../src/cli/command/errors.ts';
import { command } from '../../../../src/cli/commands/tx/upload.ts';
import { PLAIN } from '../../../../src/cli/terminal/color.ts';
import { createProgress } from '../../../../src/cli/terminal/progress.ts';
import { createInProcessEngine } from '../../../../src/pdf/engine/in-process.ts';
import { field, formPdf } from '../../../support/documents/form-pdf.ts';
import { bracedIn, line, tagPdf } from '../../../support/documents/tag-pdf.ts';
import { createDraft, SENDER } from '../../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../../support/harness.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let service: Harness;
beforeAll(async () => {
  service = await openHarness('in process');
});
afterAll(() => service.close());

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  const lease = (...lines: string[]) =>
    tagPdf({
      pages: [['The lease', ...lines].map((text, index) => line(text, 250 - 60 * index, '/F 10')).join('\n')],
    });
  await put('lease.pdf', lease('{{signature, r1}}', '{{City;type=text;role=Tenant;default=Berlin}}'));
  await put('annex.pdf', lease('{{date, r1}}'));
  await put('plain.pdf', lease('Nothing else'));
  await put('form.pdf', formPdf({ objects: [field('City', '10 10 90 30', '/FT/Tx/V(Easterholm)')] }));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const put = (name: string, content: Uint8Array | string) => writeFile(join(folder, name), content);

type Given = {
  tags?: boolean;
  to?: string[];
  'form-fields'?: boolean;
  'form-to'?: string;
  data?: string;
};

type Connected = {
  takesFieldValues?: boolean;
  answersDocumentId?: boolean;
  failing?: string;
  after?: number;
};

/** Runs the command. `calls` has the operations in their order; the one that is failing fails after some that do not. */
async function upload(id: string, files: string[], given: Given, connected: Connected = {}) {
  const { takesFieldValues = true, answersDocumentId = true, failing, after = 0 } = connected;
  const calls: string[] = [];
  const warned: string[] = [];
  const client = new Proxy(service.client, {
    get:
      (all, operation: keyof Client) =>
      async (...args: never[]) => {
        if (operation === failing && calls.filter((one) => one === operation).length === after)
          throw new Error('refused');
        calls.push(operation);
        const answer = await (all[operation] as (...given: never[]) => Promise<object>)(...args);
        return answersDocumentId ? answer : { ...answer, document_id: undefined };
      },
  });
  const err = { isTerminal: false, columns: undefined, write: (text: string) => void warned.push(text) };
  const context = {
    connections: {
      connect: async () => ({
        ...{ client, isSandbox: true, takesFieldValues, takesPreparations: true, profile: 'sandbox' },
        ownUser: SENDER,
      }),
    },
    prompts: { canAsk: false },
    settings: { json: false, quiet: false },
    process: {
      documents: createInProcessEngine(),
      workingDir: folder,
      checkpoint: () => undefined,
      abort: new AbortController().signal,
    },
    terminal: { progress: createProgress(err, PLAIN, { silent: false, spinner: false }), streams: { err } },
  } as unknown as CommandContext;
  const options = { tags: false, to: [], 'form-fields': false, ...given };
  try {
    const { json } = await command.run(context, { args: { id, file: files }, options } as never);
    return { calls, warned: warned.join(''), json: json as { warnings: { code: string }[] } };
  } catch (error) {
    return { calls, warned: warned.join(''), error: error as PartialFailure };
  }
}

async function contentOf(id: string) {
  const { template } = await service.client['transaction.detail']({ params: { transactionId: id } });
  const { documents, recipients, fields } = template;
  return {
    documents,
    recipients,
    fields: fields.map(({ type, label, value, document_id, recipient_id }) => ({
      ...{ type, label, value },
      document: documents.find((one) => one.id === document_id)?.file?.original_name,
      recipient: recipients.find((one) => one.id === recipient_id)?.email,
    })),
  };
}

const emptyDraft = async () => (await service.client['transaction.create']({ body: {} })).id;

const TENANT = ['Ada <ada@example.com>,tag=Tenant'];

describe('tx upload', () => {
  test('gives each file its fields before the next one is uploaded', async () => {
    const { id } = await createDraft(service);
    const { calls } = await upload(id, ['lease.pdf', 'annex.pdf'], { tags: true, to: TENANT });
    expect(calls.filter((one) => !/detail/.test(one))).toEqual([
      ...['file.upload', 'transaction.add_document', 'transaction.fields'],
      ...['file.upload', 'transaction.add_document', 'transaction.fields'],
    ]);
    const { fields, documents } = await contentOf(id);
    const ada = { recipient: 'ada@example.com' };
    expect(fields).toEqual([
      { type: 'signature', label: 'signature', value: undefined, document: 'lease.pdf', ...ada },
      { type: 'text', label: 'City', value: 'Berlin', document: 'lease.pdf', ...ada },
      { type: 'date', label: 'date', value: undefined, document: 'annex.pdf', ...ada },
    ]);
    const lease = documents[1] as unknown as {
      file: { id: string };
      preparation: { removed_tags: unknown[] };
    };
    expect(lease.preparation.removed_tags).toHaveLength(2);
    const stored = await service.client['file.content']({ params: { fileId: lease.file.id } });
    expect(await bracedIn(stored.bytes)).toEqual([]);
  });

  test('adds recipients to a draft that is empty, with a sender, and counts them', async () => {
    const id = await emptyDraft();
    const to = [...TENANT, 'Bob <bob@example.com>'];
    await upload(id, ['lease.pdf', 'annex.pdf'], { tags: true, to });
    const { recipients, fields } = await contentOf(id);
    expect(recipients.map(({ email, role }) => [email, role])).toEqual([
      [SENDER.email, 'sender'],
      ['ada@example.com', 'signer'],
      ['bob@example.com', 'signer'],
    ]);
    expect(fields.map(({ recipient }) => recipient)).toEqual(Array(3).fill('ada@example.com'));
  });

  test('finds the document where the service does not return its ID', async () => {
    const { id } = await createDraft(service);
    await upload(id, ['annex.pdf', 'annex.pdf'], { tags: true }, { answersDocumentId: false });
    const { template } = await service.client['transaction.detail']({ params: { transactionId: id } });
    expect(template.fields.map(({ document_id }) => document_id)).toEqual(
      template.documents.slice(1).map((one) => one.id),
    );
  });

  test('makes fields of forms with the values of a file', async () => {
    const { id } = await createDraft(service);
    await put('values.json', '{"City": "Hamburg"}');
    await upload(id, ['form.pdf'], { 'form-fields': true, data: 'values.json' });
    expect((await contentOf(id)).fields).toMatchObject([{ label: 'City', value: 'Hamburg' }]);
  });

  test('mentions tags that are not read, once', async () => {
    const { id } = await createDraft(service);
    const { json, warned } = await upload(id, ['lease.pdf', 'annex.pdf'], {});
    expect(json?.warnings.map(({ code }) => code)).toEqual(['tags_unread']);
    expect(warned).toContain('use --tags');
  });

  test('reads tags where the file of the project says so, in documents with and without them', async () => {
    const { id } = await createDraft(service);
    await put('esign.config.json', '{"tags": true, "form_fields": true, "to": ["Bob <bob@example.com>"]}');
    await upload(id, ['plain.pdf', 'annex.pdf'], {});
    const { fields, recipients } = await contentOf(id);
    expect(fields).toMatchObject([{ type: 'date', document: 'annex.pdf' }]);
    expect(recipients.map(({ email }) => email)).not.toContain('bob@example.com');
  });

  test('says which document is there without its fields', async () => {
    const { id } = await createDraft(service);
    const { error } = await upload(
      id,
      ['annex.pdf', 'lease.pdf'],
      { tags: true, to: TENANT },
      { failing: 'transaction.fields', after: 1 },
    );
    expect(error?.facts.hint).toContain('"lease.pdf" was added without its fields');
    expect((await contentOf(id)).fields).toMatchObject([{ document: 'annex.pdf' }]);
    const early = await upload(id, ['lease.pdf'], { tags: true, to: TENANT }, { failing: 'file.upload' });
    expect(early.error).toMatchObject({ name: 'PartialFailure', facts: { partial: { id } } });
    expect(early.error?.facts.hint).toBeUndefined();
  });

  test.each<[string, string[], Given, Connected, string]>([
    ['a role that no recipient has', ['lease.pdf'], { tags: true }, {}, 'tag_recipient_unknown'],
    ['tags that are not there', ['plain.pdf'], { tags: true }, {}, 'tags_missing'],
    ['a form that is not there', ['plain.pdf'], { 'form-fields': true }, {}, 'form_missing'],
    [
      'another role',
      ['annex.pdf'],
      { tags: true, to: ['ada@example.com,role=proxy'] },
      {},
      'recipient_invalid',
    ],
    ['--to without fields', ['annex.pdf'], { to: TENANT }, {}, 'options_conflict'],
    ['--data without fields', ['annex.pdf'], { data: 'values.json' }, {}, 'options_conflict'],
    ['--form-to without a form', ['annex.pdf'], { tags: true, 'form-to': '1' }, {}, 'options_conflict'],
    ['standard input twice', ['-'], { tags: true, data: '-' }, {}, 'stdin_twice'],
    [
      'a stranger for the form',
      ['form.pdf'],
      { 'form-fields': true, 'form-to': 'eve@example.com' },
      {},
      'field_recipient_unknown',
    ],
    [
      'a value that is not taken',
      ['lease.pdf'],
      { tags: true, to: TENANT },
      { takesFieldValues: false },
      'field_value_unknown',
    ],
  ])('refuses %s before anything is uploaded', async (_, files, given, connected, code) => {
    const { id } = await createDraft(service);
    const { calls, error } = await upload(id, files, given, connected);
    expect(error).toMatchObject({ name: 'CliError', facts: { code, exit: 2 } });
    expect(calls.filter((one) => !/detail/.test(one))).toEqual([]);
  });
});

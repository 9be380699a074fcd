// The pages of the editor as they are without its script: the list of fields, a form for each, and what its script sends and gets.
import { beforeAll, expect, test } from 'vitest';
import {
  type BrowserClient,
  type HtmlPage,
  openBrowserClient,
  registerUser,
} from '../../../support/browser-client.ts';
import { describeDashboard } from '../../../support/describe-dashboard.ts';
import {
  ADA,
  BOB,
  createDraft,
  type Draft,
  fieldFor,
  readDetail,
  saveTemplate,
  startTransaction,
} from '../../../support/fixtures/transactions.ts';
import { SLOW, sampleOf } from '../../../support/tier.ts';

/** What the page gives to its script. */
type State = {
  path: string;
  token: { name: string; value: string };
  revision: string;
  parties: string;
  fields: Record<string, unknown>[];
  recipients: { id: string; name: string }[];
  documents: { id: string; pages: { id: string }[] }[];
};

const stateOf = ({ html }: HtmlPage): State =>
  JSON.parse(
    (/data-editor="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );

/** What a form of one field sends. */
const entriesOf = (
  { recipients, documents }: State,
  more: Record<string, string>,
): Record<string, string> => ({
  ...{ type: 'text', recipient_id: recipients[1]?.id ?? '', document_id: documents[0]?.id ?? '', page: '2' },
  ...{ positionX: '72,5', positionY: '100', width: '180', height: '20', label: 'Place', font_size: '11' },
  ...{
    value: 'Berlin',
    options: '',
    helper_text: '',
    min_length: '',
    max_length: '40',
    min_value: '',
    max_value: '',
  },
  ...more,
});

describeDashboard('the editor of fields', (harness) => {
  let sender: BrowserClient;
  beforeAll(async () => {
    const { email, password = '' } = await harness().client['sandbox.set_password']({ body: {} });
    sender = openBrowserClient(harness());
    await sender.send(await sender.get('/sign-in'), '/sign-in', { email, password });
  });

  async function draftWithField(): Promise<Draft & { fieldId: string }> {
    const draft = await createDraft(harness(), [ADA, BOB]);
    const fields = [fieldFor(draft, ADA.email, { label: 'Tenant' })];
    await harness().client['transaction.fields']({ params: { transactionId: draft.id }, body: { fields } });
    const { template } = await readDetail(harness(), draft.id);
    return { ...draft, fieldId: template.fields[0]?.id ?? '' };
  }

  const fieldsOf = async (id: string) => (await readDetail(harness(), id)).template.fields;

  /** As the script does. */
  async function save(state: State, fields: unknown, revision = state.revision): Promise<HtmlPage> {
    const { origin } = new URL(harness().baseUrl);
    const body = new URLSearchParams({
      [state.token.name]: state.token.value,
      revision,
      fields: JSON.stringify(fields),
    });
    return sender.post(state.path, body.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      origin,
    });
  }

  test('is offered for drafts, and shows their pages and fields', async () => {
    const { id, fieldId } = await draftWithField();
    const path = `/transactions/${id}/edit`;
    expect((await sender.get(`/transactions/${id}`)).html).toContain(`href="${path}"`);
    const page = await sender.get(path);
    expect(page.text).toContain('Signature “Tenant” for Ada, page 1');
    expect(page.html).toContain(`href="${path}/fields/${fieldId}"`);
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self'; connect-src 'self'/);
    const [, picture = ''] = /<img src="(\/transactions[^"]*)"/.exec(page.html) ?? [];
    const { status, headers } = await sender.get(picture);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    const lines = await sender.get(`${path}/lines/${stateOf(page).documents[0]?.pages[0]?.id}`);
    expect(JSON.parse(lines.html).lines.length).toBeGreaterThan(10);
  });

  test('suggests fields at the lines to sign on, for the recipients in their order', async () => {
    const { id } = await createDraft(harness(), [ADA, BOB]);
    const path = `/transactions/${id}/edit`;
    const document = stateOf(await sender.get(path)).documents[0]?.id;
    const answer = JSON.parse((await sender.get(`${path}/suggestions/${document}`)).html);
    expect(answer.suggestions).toMatchObject([
      {
        from: 'line',
        type: 'signature',
        page: 2,
        width: 206.64,
        height: 48,
        signer: 0,
        properties: { label: 'Signature' },
      },
      { from: 'line', type: 'signature', page: 2, signer: 1 },
      { from: 'line', type: 'text', page: 2, signer: 0, properties: { label: 'Place and date' } },
      { from: 'line', type: 'text', page: 2, signer: 1 },
    ]);
  });

  test.skipIf(!SLOW)('finds words, and nothing for a text that is empty or endless', async () => {
    const { id } = await createDraft(harness(), [ADA]);
    const path = `/transactions/${id}/edit`;
    const document = stateOf(await sender.get(path)).documents[0]?.id;
    const find = async (text: string) => {
      const { status, html } = await sender.get(`${path}/words/${document}?${new URLSearchParams({ text })}`);
      return [status, JSON.parse(html).words];
    };
    const [status, words] = await find('place and date');
    expect([status, words.length]).toEqual([200, 2]);
    expect(words[0]).toMatchObject({ page: 2, excerpt: expect.stringContaining('«Place and date»') });
    for (const text of ['', '  ', 'x'.repeat(201), 'no such words', '(?<=x)S', '\u0000'])
      expect(await find(text)).toEqual([200, []]);
  });

  test('suggests nothing for a document that is not its own', async () => {
    const [own, other] = [await createDraft(harness(), [ADA]), await createDraft(harness(), [ADA])];
    const document = other.detail.template.documents[0]?.id;
    const path = `/transactions/${own.id}/edit`;
    expect(JSON.parse((await sender.get(`${path}/suggestions/${document}`)).html)).toEqual({
      suggestions: [],
    });
    expect(JSON.parse((await sender.get(`${path}/words/${document}?text=Signature`)).html)).toEqual({
      words: [],
    });
  });

  test('adds, changes and removes a field by forms', async () => {
    const { id } = await createDraft(harness(), [ADA]);
    const path = `/transactions/${id}/edit`;
    const form = await sender.get(`${path}/fields/new`);
    const entries = entriesOf(stateOf(await sender.get(path)), {});
    const added = await sender.send(form, `${path}/fields/new`, entries);
    expect([added.status, added.location]).toEqual([303, path]);
    const [field] = await fieldsOf(id);
    expect(field).toMatchObject({
      page: 1,
      positionX: 72.5,
      label: 'Place',
      max_length: 40,
      value: 'Berlin',
      is_required: false,
    });
    const at = `${path}/fields/${field?.id}`;
    const wrong = await sender.send(await sender.get(at), at, { ...entries, page: 'two', max_length: '0' });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('value="two"');
    expect((await sender.send(await sender.get(at), at, { ...entries, label: 'City' })).status).toBe(303);
    expect((await fieldsOf(id))[0]?.label).toBe('City');
    expect((await sender.send(await sender.get(at), `${at}/remove`, {})).status).toBe(303);
    expect(await fieldsOf(id)).toEqual([]);
    expect((await sender.get(at)).status).toBe(404);
  });

  test.each([
    ['today', { value: 'today', readonly: true }],
    ['5. märz 2026', { value: '2026-03-05', readonly: false }],
  ])('takes a date from a form: %s', async (value, properties) => {
    const { id } = await createDraft(harness(), [ADA]);
    const path = `/transactions/${id}/edit`;
    const form = await sender.get(`${path}/fields/new`);
    const written = { date_format: 'D. MMMM YYYY', date_language: 'de' };
    const entries = { type: 'date', max_length: '', value, ...written };
    await sender.send(form, `${path}/fields/new`, entriesOf(stateOf(await sender.get(path)), entries));
    expect(await fieldsOf(id)).toMatchObject([{ type: 'date', ...properties, ...written }]);
  });

  test('saves what its script sends, with the same properties as before', async () => {
    const { id } = await draftWithField();
    const state = stateOf(await sender.get(`/transactions/${id}/edit`));
    const [before] = await fieldsOf(id);
    const saved = await save(state, [{ ...state.fields[0], positionX: 300 }]);
    expect(saved.status).toBe(200);
    expect(await fieldsOf(id)).toEqual([{ ...before, positionX: 300 }]);
    const next: State = { ...state, ...JSON.parse(saved.html) };
    expect((await save(next, next.fields)).status).toBe(200);
  });

  test('saves nothing over what someone else has changed, and tells what that is', async () => {
    const { id } = await draftWithField();
    const state = stateOf(await sender.get(`/transactions/${id}/edit`));
    const form = await sender.get(`/transactions/${id}/edit/fields/${state.fields[0]?.id}`);
    await save(state, [{ ...state.fields[0], label: 'Theirs' }]);
    const refused = await save(state, [{ ...state.fields[0], label: 'Mine' }]);
    expect(JSON.parse(refused.html)).toMatchObject({
      kind: 'changed',
      parties: state.parties,
      fields: [{ label: 'Theirs' }],
    });
    const refusedForm = await sender.send(
      form,
      `/transactions/${id}/edit/fields`,
      entriesOf(state, { label: 'Mine' }),
    );
    expect([refusedForm.status, refusedForm.text]).toEqual([
      409,
      expect.stringContaining('Nothing was saved.'),
    ]);
    expect((await fieldsOf(id))[0]?.label).toBe('Theirs');
  });

  test('tells that recipients were changed', async () => {
    const { id, detail } = await draftWithField();
    const state = stateOf(await sender.get(`/transactions/${id}/edit`));
    const { documents, recipients } = detail.template;
    await harness().client['transaction.update']({
      params: { transactionId: id },
      body: {
        name: 'Agreement',
        documents: documents.map((one) => ({ id: one.id, index: one.index, isLoading: false })),
        recipients: recipients.map((one) => ({
          id: one.id,
          role: one.role,
          index: one.index,
          name: `${one.name} Smith`,
          email: one.email,
        })),
      },
    });
    const refused = await save(state, state.fields);
    const told = JSON.parse(refused.html);
    expect([told.kind, told.parties === state.parties]).toEqual(['changed', false]);
  });

  test.each([
    ['a field of no type', (field: object) => [{ ...field, type: 'stamp' }], 'fields.0.type'],
    [
      'a field on a page that is not there',
      (field: object) => [field, { ...field, id: undefined, page: 99 }],
      'fields.1.page',
    ],
    ['no list', () => 'none', 'fields'],
  ])('refuses %s, and says where', async (_, change, path) => {
    const { id } = await draftWithField();
    const state = stateOf(await sender.get(`/transactions/${id}/edit`));
    const refused = await save(state, change(state.fields[0] ?? {}));
    expect(JSON.parse(refused.html).errors.map((one: { path: string }) => one.path)).toContain(path);
    expect(await fieldsOf(id)).toHaveLength(1);
  });

  test('refuses a request without its token', async () => {
    const { id } = await draftWithField();
    const state = stateOf(await sender.get(`/transactions/${id}/edit`));
    expect((await save({ ...state, token: { name: state.token.name, value: 'x' } }, [])).status).toBe(403);
    expect(await fieldsOf(id)).toHaveLength(1);
  });

  test('edits the fields of a template', async () => {
    const { id: template } = await saveTemplate(harness());
    const path = `/templates/${template}/edit`;
    expect((await sender.get(`/templates/${template}`)).html).toContain(`href="${path}"`);
    const state = stateOf(await sender.get(path));
    expect((await save(state, [{ ...state.fields[0], label: 'Owner' }])).status).toBe(200);
    expect(JSON.parse((await save(state, [])).html).kind).toBe('changed');
    expect((await sender.get(path)).text).toContain('Signature “Owner” for Ada, page 1');
  });

  test.skipIf(!SLOW)('says of a started transaction that its fields can no longer be edited', async () => {
    const { id } = await startTransaction(harness(), [ADA]);
    const page = await sender.get(`/transactions/${id}/edit`);
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('can no longer be edited')]);
    expect((await sender.get(`/transactions/${id}`)).html).not.toContain('/edit"');
  });

  test.skipIf(!SLOW)('is there for users of the company only', async () => {
    const { id, fieldId } = await draftWithField();
    const path = `/transactions/${id}/edit`;
    const { documents } = stateOf(await sender.get(path));
    const page = documents[0]?.pages[0]?.id;
    const eve = await registerUser(harness());
    const document = documents[0]?.id;
    for (const at of [
      path,
      ...[`fields/${fieldId}`, `pages/${page}`, `lines/${page}`].map((rest) => `${path}/${rest}`),
      ...[`suggestions/${document}`, `words/${document}?text=a`].map((rest) => `${path}/${rest}`),
    ])
      expect((await eve.get(at)).status).toBe(404);
    const other = await createDraft(harness(), [ADA]);
    expect((await sender.get(`/transactions/${other.id}/edit/pages/${page}`)).status).toBe(404);
    const visitor = openBrowserClient(harness());
    expect((await visitor.get(path)).location).toMatch(/^\/sign-in/);
  });

  test.each(
    sampleOf(
      [
        ['http://127.0.0.1:4321/done', true],
        ['https://example.com/', false],
        ['http://example.com/', false],
        ['javascript:alert(1)', false],
      ],
      2,
    ),
  )(
    'leads back to a command that waits on this machine, and to no other address: %s',
    async (address, isFollowed) => {
      const { id } = await draftWithField();
      const { html } = await sender.get(
        `/transactions/${id}/edit?${new URLSearchParams({ return_to: address })}`,
      );
      const [, done] = /data-done href="([^"]*)"/.exec(html) ?? [];
      expect(done).toBe(isFollowed ? address : `/transactions/${id}`);
    },
  );

  test('says that the command sends the draft, where it does', async () => {
    const { id } = await draftWithField();
    const editorOf = async (more: object) =>
      (
        await sender.get(
          `/transactions/${id}/edit?${new URLSearchParams({ return_to: 'http://127.0.0.1:1/edited/x', ...more })}`,
        )
      ).text;
    expect(await editorOf({ sends: '1' })).toContain('Done and send');
    expect(await editorOf({ sends: '1' })).toContain('the command in your terminal then sends');
    expect(await editorOf({})).not.toMatch(/and send|then sends/);
  });
});

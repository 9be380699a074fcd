import { expect, test } from 'vitest';
import { describeSharedService } from '../support/describe-service.ts';
import {
  ADA,
  addAccount,
  createDraft,
  currentToken,
  endTransaction,
  fieldFor,
  readDetail,
  saveTemplate,
  startTransaction,
  tokenOf,
  updateBodyOf,
} from '../support/fixtures/transactions.ts';
import { problemFrom } from '../support/http-client.ts';
import { SLOW } from '../support/tier.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** The properties of spec §2, and after the line ours (A10, A18, A27, A35). */
const PROPERTIES = {
  transaction:
    'id template_id created_at updated_at created_by_id sender_id provider_type provider_id is_provider_ready expiration_days rejected_reason rejected_at rejected_by_id completed_at sent_at expires_at expired_at status company_id is_sealed is_archived template | cancelled_at cancelled_reason sealed_documents sealing_failed_at sealing_failed_reason',
  template:
    'id name description created_by_id edit_navigation reusable email_alias email_subject email_body created_at updated_at company_id fields recipients documents |',
  recipient:
    'id role color index name email token submitted_at opened_at is_current created_at updated_at | undelivered_email',
  document: 'id index status file pages | remarks',
  page: 'document_id id file | width height',
  file: 'id original_name stored_name |',
  field:
    'id document_id recipient_id page width height positionX positionY type label is_required bold italic underline font_family font_size font_color helper_text template_id max_length min_length max_value min_value regex options |',
};

const propertiesOf = (name: keyof typeof PROPERTIES): string[] =>
  PROPERTIES[name].split(/[ |]+/).filter(Boolean).sort();

const keysOf = (value: unknown): string[] => Object.keys(value as object).sort();

describeSharedService('the detail of a transaction', (harness) => {
  test('has the token of the recipient for the user who sends the transaction alone, in whatever order they ask', async () => {
    const grace = await addAccount(harness(), undefined, 'token-reader@example.com');
    const { id, token } = await startTransaction(harness());
    for (let round = 0; round < 2; round += 1) {
      expect(await currentToken(grace, id)).toBe('');
      expect(await currentToken(harness(), id)).toBe(token);
    }
    const { template, ...rest } = await readDetail(grace, id);
    const own = await readDetail(harness(), id);
    expect(rest).toEqual({ ...own, template: undefined });
    expect(template.recipients).toEqual(own.template.recipients.map((each) => ({ ...each, token: null })));
    expect(JSON.stringify(template)).not.toContain(token);
  });

  test('has the token for a colleague who has made themselves the sender, and no more for who created it', async () => {
    const grace = await addAccount(harness(), undefined, 'new-sender@example.com');
    const draft = await createDraft(harness());
    const params = { transactionId: draft.id };
    const body = updateBodyOf(draft.detail, {
      fields: [fieldFor(draft, ADA.email)],
      recipients: updateBodyOf(draft.detail).recipients?.map((each) =>
        each.role === 'sender' ? { ...each, name: 'Grace', email: grace.email } : each,
      ),
    });
    await grace.client['transaction.update']({ params, body });
    const { url } = await grace.client['transaction.start']({ params });
    expect(await currentToken(grace, draft.id)).toBe(tokenOf(url));
    expect(await currentToken(harness(), draft.id)).toBe('');
  });

  test('has no token in the answer to a colleague who uses templates', async () => {
    const grace = await addAccount(harness(), undefined, 'template-user@example.com');
    const { id: template } = await saveTemplate(harness());
    const { id } = await createDraft(harness());
    const used = await grace.client['transaction.use_templates']({
      params: { transactionId: id },
      body: { templates: [{ id: template }] },
    });
    expect(used.template.recipients.map((each) => each.token)).toEqual(
      used.template.recipients.map(() => null),
    );
  });

  test('shows every property of the specification and no other, at every depth', async () => {
    const draft = await createDraft(harness());
    const params = { transactionId: draft.id };
    await harness().client['transaction.fields']({
      params,
      body: { fields: [fieldFor(draft, ADA.email)] },
    });
    const detail = await readDetail(harness(), draft.id);
    const { template } = detail;
    expect(keysOf(detail)).toEqual(propertiesOf('transaction'));
    expect(keysOf(template)).toEqual(propertiesOf('template'));
    for (const recipient of template.recipients) expect(keysOf(recipient)).toEqual(propertiesOf('recipient'));
    for (const field of template.fields) expect(keysOf(field)).toEqual(propertiesOf('field'));
    for (const document of template.documents) {
      expect(keysOf(document)).toEqual(propertiesOf('document'));
      expect(keysOf(document.file)).toEqual(propertiesOf('file'));
      for (const page of document.pages) {
        expect(keysOf(page)).toEqual(propertiesOf('page'));
        expect(keysOf(page.file)).toEqual(propertiesOf('file'));
      }
    }
    expect([template.fields, template.recipients, template.documents].map((list) => list.length)).toEqual([
      1, 2, 1,
    ]);
  });

  test('names things by opaque ids and gives moments in UTC', async () => {
    const { id } = await endTransaction(harness(), 'completed');
    const text = JSON.stringify(await readDetail(harness(), id));
    const ids = [...text.matchAll(/"(?:id|\w+_id)":"([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(ids.length).toBeGreaterThan(10);
    for (const one of ids) expect(one).toMatch(/^[\w.:-]{1,128}$/);
    const moments = [...text.matchAll(/"\w+_at":"([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(moments.length).toBeGreaterThan(5);
    for (const one of moments) expect(one).toMatch(INSTANT);
  });

  test.skipIf(!SLOW)('has the type of each property, in every state', async () => {
    const ids = [(await createDraft(harness())).id, (await startTransaction(harness())).id];
    for (const end of ['completed', 'rejected', 'expired', 'cancelled'] as const)
      ids.push((await endTransaction(harness(), end)).id);
    for (const id of ids) {
      const detail = await readDetail(harness(), id);
      for (const name of ['is_provider_ready', 'is_sealed', 'is_archived'] as const)
        expect(detail[name]).toBeTypeOf('boolean');
      for (const name of ['provider_type', 'status', 'company_id', 'sender_id', 'template_id'] as const)
        expect(detail[name]).toBeTypeOf('string');
      for (const name of [
        'rejected_at',
        'completed_at',
        'sent_at',
        'expires_at',
        'expired_at',
        'cancelled_at',
      ] as const)
        expect(detail[name] ?? '1970-01-01T00:00:00.000Z').toMatch(INSTANT);
      expect(['draft', 'started', 'completed', 'expired', 'rejected']).toContain(detail.status);
      expect(detail.sent_at === null).toBe(detail.status === 'draft');
      expect(detail.template.id).toBe(detail.template_id);
    }
  });

  test('shows the token of the recipient who is pending, and null for the others', async () => {
    const { id, token } = await startTransaction(harness());
    const { template } = await readDetail(harness(), id);
    expect(template.recipients.map((one) => [one.is_current, one.token])).toEqual([
      [false, null],
      [true, token],
    ]);
    expect(await currentToken(harness(), id)).toBe(token);
  });

  test.each(['unknown', '00000000-0000-4000-8000-000000000000'])('is 404 for the id %s', async (id) => {
    for (const what of [
      `GET /v1/transaction/${id}`,
      `GET /v1/template/${id}`,
      `GET /v1/file/${id}`,
      `DELETE /v1/webhook/${id}`,
    ]) {
      const problem = await problemFrom(harness(), what);
      expect(problem.status).toBe(404);
      expect(problem.detail).toContain(`"${id}"`);
    }
  });

  test('is not affected by templates that were made of it', async () => {
    const { draft } = await saveTemplate(harness());
    expect(await readDetail(harness(), draft.id)).toEqual(draft.detail);
  });
});

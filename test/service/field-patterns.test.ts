// Patterns of fields: senders choose them, recipients answer them, and neither delays other requests.
import { setImmediate as turn } from 'node:timers/promises';
import { RE2JS } from 're2js';
import { expect, test, vi } from 'vitest';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeService } from '../support/describe-service.ts';
import {
  ADA,
  createDraft,
  currentToken,
  fieldFor,
  readDetail,
  refusalOf,
} from '../support/fixtures/transactions.ts';
import { SLOW } from '../support/tier.ts';

describeService('patterns of fields', (harness) => {
  async function startedWithPatterns(patterns: string[]) {
    const draft = await createDraft(harness());
    const params = { transactionId: draft.id };
    const fields = patterns.map((regex, index) =>
      fieldFor(draft, ADA.email, { type: 'text', label: `Code ${index}`, regex }),
    );
    await harness().client['transaction.fields']({ params, body: { fields } });
    await harness().client['transaction.start']({ params });
    const { template } = await readDetail(harness(), draft.id);
    const ids = template.fields.map((field) => field.id);
    const submit = (value: string) =>
      currentToken(harness(), draft.id).then((token) =>
        harness().client['signing.submit']({
          query: { token },
          body: { values: ids.map((field_id) => ({ field_id, value })) },
        }),
      );
    return { id: draft.id, submit };
  }

  test('are tried on every value, and tell which differ', async () => {
    const { id, submit } = await startedWithPatterns(['[A-Z]+', '[A-Z]{2}', '\\p{Lu}+']);
    const refused = await assertUnchanged(harness(), () => refusalOf(submit('ABC')));
    expect(refused.errors.map(({ message }) => message)).toEqual(['Code 1 does not have the required form']);
    await submit('AB');
    expect((await readDetail(harness(), id)).status).toBe('completed');
  });

  test('that would take for ever elsewhere are tried one by one, and others get their turn between them', async () => {
    const { submit } = await startedWithPatterns([
      ...Array.from({ length: 20 }, (_, index) => `^(a+)+${index}$`),
      ...Array.from({ length: 5 }, (_, index) => `(a|b)*${index}(a|b){300}`),
    ]);
    const compile = vi.spyOn(RE2JS, 'compile');
    const inEachTurn: number[] = [];
    let isDone = false;
    const refused = refusalOf(submit(`${'a'.repeat(999)}!`)).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await turn();
      inEachTurn.push(compile.mock.calls.length);
      compile.mockClear();
    }
    compile.mockRestore();
    expect((await refused).errors).toHaveLength(25);
    expect(inEachTurn.reduce((sum, count) => sum + count)).toBe(25);
    expect(Math.max(...inEachTurn)).toBe(1);
  });

  test('from before the dialect was RE2 are reported to the recipient', async () => {
    const { submit, id } = await startedWithPatterns(['a+']);
    await harness().store.database.write(async (db) => {
      const { settings } = await db.selectFrom('field').select('settings').executeTakeFirstOrThrow();
      await db
        .updateTable('field')
        .set({ settings: JSON.stringify({ ...JSON.parse(settings), regex: '(?=a)a' }) })
        .execute();
    });
    expect((await refusalOf(submit('a'))).errors.map(({ message }) => message)).toEqual([
      'Code 0 cannot be checked, because its pattern is no longer supported. Ask the sender to send the document again',
    ]);
    expect((await readDetail(harness(), id)).status).toBe('started');
  });

  test.skipIf(!SLOW)('are tried in the sandbox too, on what is given and on what is guessed', async () => {
    const { id } = await startedWithPatterns(['Code \\d', '[a-z]+']);
    const params = { transactionId: id };
    const refused = await refusalOf(harness().client['sandbox.sign']({ params, body: { values: {} } }));
    expect(refused.errors.map(({ message }) => message)).toEqual(['Code 1 does not have the required form']);
    await harness().client['sandbox.sign']({ params, body: { values: { 'Code 1': 'abc' } } });
    expect((await readDetail(harness(), id)).status).toBe('completed');
  });
});

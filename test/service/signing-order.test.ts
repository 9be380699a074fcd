import { expect, it } from 'vitest';
import {
  ADA,
  BOB,
  currentToken,
  detailOf,
  draftOf,
  eventsOf,
  fieldFor,
  type Person,
  SENDER,
  signWith,
  startedWith,
  tokenOf,
} from '../support/deal.ts';
import type { Harness } from '../support/harness.ts';
import { sharedSuite } from '../support/suite.ts';

/** Who is asked, one after the other, until nobody is: each submits when it is their turn. */
async function orderOf(world: Harness, id: string): Promise<string[]> {
  const asked: string[] = [];
  for (;;) {
    const { status, template } = await detailOf(world, id);
    const current = template.recipients.filter((recipient) => recipient.is_current);
    if (status !== 'started') return asked;
    expect(current).toHaveLength(1);
    asked.push(current[0]?.email ?? '');
    await signWith(world, current[0]?.token ?? '');
  }
}

async function started(world: Harness, people: Person[], signing: string[]): Promise<string> {
  const draft = await draftOf(world, people);
  const params = { transactionId: draft.id };
  await world.client['transaction.fields']({
    params,
    body: { fields: signing.map((email) => fieldFor(draft, email)) },
  });
  await world.client['transaction.start']({ params });
  return draft.id;
}

sharedSuite(
  'the order of signing',
  (world) => {
    it('asks the recipients one after another and completes with the last', async () => {
      const { client, clock } = world();
      const { id, token } = await startedWith(world(), [ADA, BOB]);
      const before = await detailOf(world(), id);
      expect(
        before.template.recipients.map((one) => [one.email, one.is_current, one.token !== null]),
      ).toEqual([
        [SENDER.email, false, false],
        [ADA.email, true, true],
        [BOB.email, false, false],
      ]);
      expect(await signWith(world(), token)).toEqual({
        status: 'started',
        submitted_at: new Date(clock.now).toISOString(),
      });
      const second = await currentToken(world(), id);
      expect(second).not.toBe(token);
      clock.advance(60_000);
      expect(await signWith(world(), second)).toMatchObject({ status: 'completed' });
      const detail = await detailOf(world(), id);
      const [, ada, bob] = detail.template.recipients;
      expect(detail).toMatchObject({
        status: 'completed',
        completed_at: bob?.submitted_at,
        is_sealed: true,
      });
      expect(bob?.submitted_at).toBe(new Date(clock.now).toISOString());
      expect(ada?.submitted_at).toBe(new Date(clock.now - 60_000).toISOString());
      const { items } = await client['sandbox.events']({ query: { transaction_id: id } });
      expect(items.map((event) => event.type)).toEqual([
        'transaction_created',
        'transaction_started',
        'recipient_submitted',
        'recipient_submitted',
        'transaction_completed',
      ]);
    });

    it('passes over a sender who has no fields', async () => {
      const id = await started(world(), [ADA], [ADA.email]);
      expect(await orderOf(world(), id)).toEqual([ADA.email]);
    });

    it('asks a sender who has fields at their index', async () => {
      const id = await started(world(), [ADA], [SENDER.email, ADA.email]);
      expect(await orderOf(world(), id)).toEqual([SENDER.email, ADA.email]);
    });

    it('asks a sender who comes last at the end', async () => {
      const draft = await draftOf(world(), [ADA]);
      const params = { transactionId: draft.id };
      const documents = draft.detail.template.documents.map(({ id, index }) => ({ id, index }));
      const recipients = draft.detail.template.recipients.map(
        ({ token, created_at, updated_at, is_current, submitted_at, ...one }) => ({
          ...one,
          index: one.role === 'sender' ? 9 : 0,
        }),
      );
      const fields = [fieldFor(draft, SENDER.email), fieldFor(draft, ADA.email)];
      await world().client['transaction.update']({
        params,
        body: { name: 'A', documents, recipients, fields },
      });
      await world().client['transaction.start']({ params });
      expect(await orderOf(world(), draft.id)).toEqual([ADA.email, SENDER.email]);
    });

    it('asks a proxy like a signer', async () => {
      const id = await started(world(), [ADA, { ...BOB, role: 'proxy' }], [ADA.email, BOB.email]);
      expect(await orderOf(world(), id)).toEqual([ADA.email, BOB.email]);
    });

    it('asks a signer or proxy without fields to approve', async () => {
      const id = await started(world(), [ADA, { ...BOB, role: 'proxy' }], []);
      expect(await orderOf(world(), id)).toEqual([ADA.email, BOB.email]);
      expect((await detailOf(world(), id)).status).toBe('completed');
    });

    it('answers the start with the signing address of whoever is pending', async () => {
      const draft = await draftOf(world());
      const params = { transactionId: draft.id };
      const { url } = await world().client['transaction.start']({ params });
      expect(url.startsWith(`${world().baseUrl}/sign?token=`)).toBe(true);
      expect(tokenOf(url)).toBe(await currentToken(world(), draft.id));
      const view = await world().client['signing.view']({ query: { token: tokenOf(url) } });
      expect(view.recipient).toMatchObject({ email: ADA.email, role: 'signer' });
    });

    it('records the moment of the start and no end when nothing expires', async () => {
      const { id } = await startedWith(world());
      const detail = await detailOf(world(), id);
      const now = new Date(world().clock.now).toISOString();
      expect(detail).toMatchObject({ status: 'started', sent_at: now, expires_at: null, completed_at: null });
      expect(await eventsOf(world(), id)).toEqual(['transaction_created', 'transaction_started']);
    });

    it('never shows a transaction that all have signed as started', async () => {
      const id = await started(world(), [ADA, BOB], [ADA.email, BOB.email]);
      const seen: boolean[] = [];
      await Promise.all([
        orderOf(world(), id),
        ...Array.from({ length: 20 }, async () => {
          const { status, template } = await detailOf(world(), id);
          const allDone = template.recipients.every(
            (one) => one.role === 'sender' || one.submitted_at !== null,
          );
          seen.push(allDone === (status === 'completed'));
        }),
      ]);
      expect(seen).not.toContain(false);
    });
  },
  'over HTTP in the slow tier',
);

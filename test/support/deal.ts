// The usual story in a few words: a draft with a document, people and fields, started or not.
import { readFile } from 'node:fs/promises';
import type { InputOf } from '../../src/api/contract/operations.ts';
import type { Transaction } from '../../src/api/contract/transactions.ts';
import type { Harness } from './harness.ts';

export const SENDER = { name: 'Sandbox Sender', email: 'sender@esign.test' };

type FieldBody = InputOf<'transaction.fields'>['body']['fields'][number];

export type Person = { name: string; email: string; role?: 'sender' | 'signer' | 'proxy' };

export const ADA: Person = { name: 'Ada', email: 'ada@example.com' };
export const BOB: Person = { name: 'Bob', email: 'bob@example.com' };

let contract: Buffer<ArrayBuffer> | undefined;

/** The three-page contract of the fixtures. */
export async function contractPdf(): Promise<Blob> {
  contract ??= await readFile(new URL('../fixtures/contract.pdf', import.meta.url));
  return new Blob([contract]);
}

export async function upload({ client }: Pick<Harness, 'client'>, name = 'contract.pdf'): Promise<string> {
  const { token } = await client['file.upload']({
    form: { name },
    file: { name, content: await contractPdf() },
  });
  return token;
}

/** A file may be linked several times (A29): the drafts of one client share theirs, which is read once. */
async function uploadedBy(harness: Pick<Harness, 'client'>): Promise<string> {
  const known = shared.get(harness.client);
  if (known !== undefined) return known;
  const token = await upload(harness);
  shared.set(harness.client, token);
  return token;
}

const shared = new WeakMap<Harness['client'], string>();

export type Draft = { id: string; detail: Transaction };

/** Created, one document, the sender and these people. */
export async function draftOf(harness: Pick<Harness, 'client'>, people: Person[] = [ADA]): Promise<Draft> {
  const { client } = harness;
  const { id } = await client['transaction.create']({ body: { name: 'Agreement' } });
  const params = { transactionId: id };
  await client['transaction.add_document']({ params, body: { token: await uploadedBy(harness) } });
  const before = await client['transaction.detail']({ params });
  await client['transaction.update']({
    params,
    body: {
      name: 'Agreement',
      documents: before.template.documents.map(({ id: documentId, index }) => ({
        id: documentId,
        index,
        isLoading: false,
      })),
      recipients: [{ ...SENDER, role: 'sender' as const }, ...people].map((person, index) => ({
        role: person.role ?? 'signer',
        index,
        name: person.name,
        email: person.email,
      })),
    },
  });
  return { id, detail: await client['transaction.detail']({ params }) };
}

export function fieldFor({ detail }: Draft, email: string, more: Partial<FieldBody> = {}): FieldBody {
  const recipient = detail.template.recipients.find((one) => one.email === email);
  const [document] = detail.template.documents;
  return {
    document_id: document?.id ?? '',
    recipient_id: recipient?.id ?? '',
    page: 0,
    width: 120,
    height: 40,
    positionX: 72,
    positionY: 600,
    type: 'signature',
    ...more,
  };
}

/** Started with one signature for each of these people. @returns the token of whoever is asked first */
export async function startedWith(
  harness: Pick<Harness, 'client'>,
  people: Person[] = [ADA],
): Promise<Draft & { token: string }> {
  const draft = await draftOf(harness, people);
  const params = { transactionId: draft.id };
  const fields = people.map((person) => fieldFor(draft, person.email));
  await harness.client['transaction.fields']({ params, body: { fields } });
  const { url } = await harness.client['transaction.start']({ params });
  return { ...draft, token: tokenOf(url), detail: await harness.client['transaction.detail']({ params }) };
}

export const tokenOf = (url: string): string => new URL(url).searchParams.get('token') ?? '';

/** The token of whoever is pending now. */
export async function currentToken({ client }: Pick<Harness, 'client'>, id: string): Promise<string> {
  const detail = await client['transaction.detail']({ params: { transactionId: id } });
  return detail.template.recipients.find((recipient) => recipient.is_current)?.token ?? '';
}

/** Values for every field of whoever holds the token. */
export async function signWith({ client }: Pick<Harness, 'client'>, token: string) {
  const view = await client['signing.view']({ query: { token } });
  const values = view.fields.map((field) => ({ field_id: field.id, value: view.recipient.name }));
  return client['signing.submit']({ query: { token }, body: { values } });
}

/** What a call was refused with. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<{ status: number; code: string; message: string; errors: { path: string; message: string }[] }> {
  try {
    await call;
  } catch (error) {
    const { status, code, message, errors } = error as {
      status: number;
      code: string;
      message: string;
      errors: [];
    };
    return { status, code, message, errors };
  }
  throw new Error('The call was not refused.');
}

export type UpdateBody = InputOf<'transaction.update'>['body'];

/** An update that changes nothing but what `more` says. */
export const updateOf = ({ template }: Transaction, more: Partial<UpdateBody> = {}): UpdateBody => ({
  name: template.name,
  documents: template.documents.map(({ id, index }) => ({ id, index, isLoading: false })),
  recipients: template.recipients.map(({ id, role, color, index, name, email }) => ({
    id,
    role,
    color,
    index,
    name,
    email,
  })),
  ...more,
});

export const detailOf = ({ client }: Pick<Harness, 'client'>, id: string): Promise<Transaction> =>
  client['transaction.detail']({ params: { transactionId: id } });

/** The types of the events of a transaction, in the order in which they happened. */
export async function eventsOf({ client }: Pick<Harness, 'client'>, id: string): Promise<string[]> {
  const { items } = await client['sandbox.events']({ query: { transaction_id: id } });
  return items.map((event) => event.type);
}

export type Account = { email: string; token: string; client: Harness['client'] };

/** A new user with every scope, in the company of that name; without one, a colleague of the sender. */
export async function accountIn(
  world: Pick<Harness, 'client' | 'clientWith'>,
  company?: string,
  email = 'grace@example.com',
): Promise<Account> {
  await world.client['sandbox.add_user']({
    body: { name: 'Grace', email, ...(company !== undefined && { company }) },
  });
  const { access_token: token = '' } = await world.client['sandbox.token']({ body: { user: email } });
  return { email, token, client: world.clientWith(token) };
}

/** A template of the sender's company with one document, the sender, Ada, and a signature of hers. */
export async function templateOf(
  world: Pick<Harness, 'client'>,
  name = 'Standard agreement',
): Promise<{ id: string; draft: Draft }> {
  const draft = await draftOf(world);
  const params = { transactionId: draft.id };
  await world.client['transaction.fields']({ params, body: { fields: [fieldFor(draft, ADA.email)] } });
  const { id } = await world.client['sandbox.save_template']({ params, body: { name } });
  return { id, draft: { ...draft, detail: await detailOf(world, draft.id) } };
}

export const ENDS = ['completed', 'rejected', 'expired', 'cancelled'] as const;
export type End = (typeof ENDS)[number];

/** A transaction that has ended in this way, with the signing token it had before. */
export async function endedAs(
  world: Pick<Harness, 'client' | 'clock'>,
  end: End,
): Promise<{ id: string; token: string }> {
  const draft = await draftOf(world);
  const params = { transactionId: draft.id };
  const body = updateOf(draft.detail, { expiration_days: 1, fields: [fieldFor(draft, ADA.email)] });
  await world.client['transaction.update']({ params, body });
  const token = tokenOf((await world.client['transaction.start']({ params })).url);
  if (end === 'completed') await signWith(world, token);
  if (end === 'rejected') await world.client['signing.reject']({ query: { token }, body: { reason: 'No' } });
  if (end === 'cancelled')
    await world.client['transaction.cancel']({ params, body: { cancelled_reason: 'Wrong contract' } });
  if (end === 'expired') world.clock.advance(24 * 3600 * 1000);
  return { id: draft.id, token };
}

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
  const { token } = await client['file.upload']({ form: { name }, file: { name, content: await contractPdf() } });
  return token;
}

export type Draft = { id: string; detail: Transaction };

/** Created, one document, the sender and these people. */
export async function draftOf(harness: Pick<Harness, 'client'>, people: Person[] = [ADA]): Promise<Draft> {
  const { client } = harness;
  const { id } = await client['transaction.create']({ body: { name: 'Agreement' } });
  const params = { transactionId: id };
  await client['transaction.add_document']({ params, body: { token: await upload(harness) } });
  const before = await client['transaction.detail']({ params });
  await client['transaction.update']({
    params,
    body: {
      name: 'Agreement',
      documents: before.template.documents.map(({ id: documentId, index }) => ({ id: documentId, index, isLoading: false })),
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
export async function startedWith(harness: Pick<Harness, 'client'>, people: Person[] = [ADA]): Promise<Draft & { token: string }> {
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
export async function refusalOf(call: Promise<unknown>): Promise<{ status: number; code: string; message: string; errors: { path: string; message: string }[] }> {
  try {
    await call;
  } catch (error) {
    const { status, code, message, errors } = error as { status: number; code: string; message: string; errors: [] };
    return { status, code, message, errors };
  }
  throw new Error('The call was not refused.');
}

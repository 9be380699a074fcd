// For every operation that needs an access token: a call that succeeds, with the ids of things that exist.
import type { Client } from '../../src/api/client.ts';
import { isScoped, type Operation } from '../../src/api/contract/operation.ts';
import {
  OPERATION_IDS,
  OPERATIONS,
  type OperationId,
  type OperationTable,
} from '../../src/api/contract/operations.ts';
import type { Scope } from '../../src/api/contract/scopes.ts';
import { ADA, contractPdf, draftOf, fieldFor, startedWith, templateOf, updateOf, upload } from './deal.ts';
import type { Harness } from './harness.ts';

/** The operations whose access is a scope. */
export type ScopedId = {
  [K in OperationId]: OperationTable[K]['access'] extends { scope: Scope } ? K : never;
}[OperationId];

export const SCOPED: ScopedId[] = OPERATION_IDS.filter((id): id is ScopedId =>
  isScoped((OPERATIONS[id] as Operation).access),
);

export const scopeOf = (id: ScopedId): Scope => OPERATIONS[id].access.scope;

type ValidCall = (client: Client) => Promise<unknown>;

/** A missing operation is a compile error. Each prepares what the call is about, as the store's own user. */
export const VALID_CALLS: { [K in ScopedId]: (world: Harness) => Promise<ValidCall> } = {
  'transaction.create': async () => (client) => client['transaction.create']({ body: { name: 'A' } }),
  'transaction.update': async (world) => {
    const { id, detail } = await draftOf(world);
    return (client) =>
      client['transaction.update']({ params: { transactionId: id }, body: updateOf(detail, { name: 'B' }) });
  },
  'transaction.add_document': async (world) => {
    const { id } = await draftOf(world);
    const token = await upload(world);
    return (client) => client['transaction.add_document']({ params: { transactionId: id }, body: { token } });
  },
  'transaction.fields': async (world) => {
    const draft = await draftOf(world);
    const body = { fields: [fieldFor(draft, ADA.email)] };
    return (client) => client['transaction.fields']({ params: { transactionId: draft.id }, body });
  },
  'transaction.start': async (world) => {
    const { id } = await draftOf(world);
    return (client) => client['transaction.start']({ params: { transactionId: id } });
  },
  'transaction.detail': async (world) => {
    const { id } = await draftOf(world);
    return (client) => client['transaction.detail']({ params: { transactionId: id } });
  },
  'transaction.use_templates': async (world) => {
    const { id: template } = await templateOf(world);
    const { id } = await draftOf(world);
    return (client) =>
      client['transaction.use_templates']({
        params: { transactionId: id },
        body: { templates: [{ id: template }] },
      });
  },
  'transaction.cancel': async (world) => {
    const { id } = await startedWith(world);
    return (client) =>
      client['transaction.cancel']({ params: { transactionId: id }, body: { cancelled_reason: 'x' } });
  },
  'file.upload': async () => async (client) =>
    client['file.upload']({ form: { name: 'a.pdf' }, file: { name: 'a.pdf', content: await contractPdf() } }),
  'file.content': async (world) => {
    const { detail } = await draftOf(world);
    return (client) =>
      client['file.content']({ params: { fileId: detail.template.documents[0]?.file.id ?? '' } });
  },
  'template.detail': async (world) => {
    const { id } = await templateOf(world);
    return (client) => client['template.detail']({ params: { templateId: id } });
  },
  'template.list': async () => (client) => client['template.list']({ query: { limit: '1', page: '1' } }),
  'webhook.create': async () => (client) =>
    client['webhook.create']({
      body: { name: 'W', endpoint: 'https://example.com', events: ['transaction_created'] },
    }),
  'webhook.list': async () => (client) => client['webhook.list']({ query: { limit: '1', page: '1' } }),
  'webhook.delete': async ({ client }) => {
    const { id } = await client['webhook.create']({
      body: { name: 'W', endpoint: 'https://example.com', events: ['transaction_created'] },
    });
    return (caller) => caller['webhook.delete']({ params: { webhookId: id } });
  },
};

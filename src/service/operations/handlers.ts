// Finds the handler of an operation. The file of a resource is loaded when one of its operations is first called: a command calls a few of them.
import type { OperationId } from '../../api/contract/operations.ts';
import type { Handler, Handlers, Resource } from '../context.ts';

const RESOURCES: { [R in Resource]: () => Promise<Handlers<R>> } = {
  event: async () => (await import('./events.ts')).eventHandlers,
  file: async () => (await import('./files.ts')).fileHandlers,
  oauth: async () => (await import('./oauth.ts')).oauthHandlers,
  sandbox: async () => (await import('./sandbox/sandbox.ts')).sandboxHandlers,
  signing: async () => (await import('./signing.ts')).signingHandlers,
  template: async () => (await import('./templates.ts')).templateHandlers,
  transaction: async () => (await import('./transactions.ts')).transactionHandlers,
  user: async () => (await import('./oauth.ts')).userHandlers,
  webhook: async () => (await import('./webhooks.ts')).webhookHandlers,
};

/** The type leaves open to which operation the handler belongs. */
export type AnyHandler = (context: unknown, input: unknown) => ReturnType<Handler<OperationId>>;

const loaded = new Map<OperationId, AnyHandler>();

export const handlerOf = (id: OperationId): AnyHandler | Promise<AnyHandler> =>
  loaded.get(id) ?? loadHandler(id);

async function loadHandler(id: OperationId): Promise<AnyHandler> {
  const handlers: Partial<Record<OperationId, unknown>> = await RESOURCES[id.split('.')[0] as Resource]();
  // The types of the table have checked which input belongs to which handler.
  const handler = handlers[id] as AnyHandler;
  loaded.set(id, handler);
  return handler;
}

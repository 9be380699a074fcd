// The typed client: one method per operation of the table, over any transport.
import { randomUUID } from 'node:crypto';
import { decodeReply, encodeCall, type LooseInput, parseRoute } from './codec.ts';
import type { Operation } from './contract/operation.ts';
import {
  type InputOf,
  OPERATION_IDS,
  OPERATIONS,
  type OperationId,
  type OperationTable,
  type ReceivedOf,
} from './contract/operations.ts';
import type { OnSent, Transport } from './transport.ts';

export type CallOptions = {
  /** Sent as `Idempotency-Key` where the operation knows it (assumed: A37). */
  idempotencyKey?: string | undefined;
  /** Receives how much of the body has been handed to the network; the embedded service does not report it. */
  onSent?: OnSent | undefined;
  /** The call is made once and not waited for long. */
  isBrief?: true | undefined;
};

type Method<K extends OperationId> =
  Record<never, never> extends InputOf<K>
    ? (input?: InputOf<K>, options?: CallOptions) => Promise<ReceivedOf<K>>
    : (input: InputOf<K>, options?: CallOptions) => Promise<ReceivedOf<K>>;

// `keyof` of the table itself: editors lead from a method to its row in the contract, and from there to its handler.
export type Client = { -readonly [K in keyof OperationTable]: Method<K> };

export type ClientOptions = {
  baseUrl: string;
  transport: Transport;
  /** `transaction.cancel` → `POST /v1/transaction/{transactionId}/cancellation` */
  routes?: Partial<Record<string, string>>;
  /** The control secret of an embedded service, for the operations under /_sandbox/. */
  controlSecret?: string | undefined;
  /** Receives every answer that is not an error of the connection. */
  onAnswer?: (operation: OperationId, input: LooseInput, output: unknown) => void;
};

export function createClient(options: ClientOptions): Client {
  const methods = OPERATION_IDS.map((id) => [
    id,
    (input: LooseInput = {}, call: CallOptions = {}) => invoke(id, input, call, options),
  ]);
  return Object.fromEntries(methods) as Client;
}

async function invoke(
  id: OperationId,
  input: LooseInput,
  call: CallOptions,
  options: ClientOptions,
): Promise<unknown> {
  const operation: Operation = OPERATIONS[id];
  const override = options.routes?.[id];
  const headers: Record<string, string> = {};
  if (call.idempotencyKey && operation.idempotent) headers['idempotency-key'] = call.idempotencyKey;
  if (operation.access === 'control' && options.controlSecret)
    headers['x-esign-control'] = options.controlSecret;
  const encoded = await encodeCall(operation, input, {
    baseUrl: options.baseUrl,
    boundary: `esign-${randomUUID()}`,
    route: override ? parseRoute(override) : undefined,
    headers,
  });
  const { once, isLong } = operation;
  const sent = { ...encoded, once, isLong, onSent: call.onSent, isBrief: call.isBrief };
  const output = decodeReply(id, operation, sent, await options.transport(sent));
  options.onAnswer?.(id, input, output);
  return output;
}

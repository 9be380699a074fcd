// The one table of operations: everything the service answers, under the id that every layer calls it by.
import { eventOperations } from './events.ts';
import { fileOperations } from './files.ts';
import { oauthOperations, userOperations } from './oauth.ts';
import type { OperationInput, Output, Received } from './operation.ts';
import { sandboxOperations } from './sandbox.ts';
import { signingOperations } from './signing.ts';
import { templateOperations } from './templates.ts';
import { transactionOperations } from './transactions.ts';
import { webhookOperations } from './webhooks.ts';

/** What the specification's API does, and our extensions to it. */
export const API_OPERATIONS = {
  ...transactionOperations,
  ...fileOperations,
  ...templateOperations,
  ...webhookOperations,
  ...eventOperations,
  ...oauthOperations,
  ...userOperations,
} as const;

export const OPERATIONS = { ...API_OPERATIONS, ...signingOperations, ...sandboxOperations } as const;

export type OperationTable = typeof OPERATIONS;
export type OperationId = keyof OperationTable;
export type ApiOperationId = keyof typeof API_OPERATIONS;
export type InputOf<K extends OperationId> = OperationInput<OperationTable[K]>;
export type OutputOf<K extends OperationId> = Output<OperationTable[K]>;
export type ReceivedOf<K extends OperationId> = Received<OperationTable[K]>;

export const OPERATION_IDS = Object.keys(OPERATIONS) as OperationId[];

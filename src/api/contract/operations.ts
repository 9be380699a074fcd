// The one table of operations: everything that the service answers, under the ID by which every layer calls it.
import { eventOperations } from './events.ts';
import { fileOperations } from './files.ts';
import { oauthOperations, userOperations } from './oauth.ts';
import type { OperationInput, Output, Received } from './operation.ts';
import { applicationsOperations, usersOperations } from './sandbox/accounts.ts';
import { clockOperations } from './sandbox/clock.ts';
import { faultsOperations } from './sandbox/faults.ts';
import { mailboxOperations } from './sandbox/mailbox.ts';
import { snapshotsOperations, storeOperations } from './sandbox/store.ts';
import { transactionsOperations } from './sandbox/transactions.ts';
import { signingOperations } from './signing.ts';
import { templateOperations } from './templates.ts';
import { transactionOperations } from './transactions.ts';
import { webhookOperations } from './webhooks.ts';

/** The operations of the specification, and our extensions to them. */
export const API_OPERATIONS = {
  ...transactionOperations,
  ...fileOperations,
  ...templateOperations,
  ...webhookOperations,
  ...eventOperations,
  ...oauthOperations,
  ...userOperations,
} as const;

/**
 * What only the embedded service can do: sign for a recipient, create users, applications and tokens, read the records. These extensions under
 * /_sandbox/ need the control secret of the store.
 */
export const sandboxOperations = {
  ...storeOperations,
  ...clockOperations,
  ...faultsOperations,
  ...snapshotsOperations,
  ...mailboxOperations,
  ...transactionsOperations,
  ...usersOperations,
  ...applicationsOperations,
} as const;

export const OPERATIONS = { ...API_OPERATIONS, ...signingOperations, ...sandboxOperations } as const;

export type OperationTable = typeof OPERATIONS;
export type OperationId = keyof OperationTable;
export type InputOf<K extends OperationId> = OperationInput<OperationTable[K]>;
export type OutputOf<K extends OperationId> = Output<OperationTable[K]>;
export type ReceivedOf<K extends OperationId> = Received<OperationTable[K]>;

export const OPERATION_IDS = Object.keys(OPERATIONS) as OperationId[];

// What only the embedded service can do: sign for a recipient, create users, applications and tokens, read the records.
// Extensions under /_sandbox/, which need the control secret of the store.

import { clockOperations } from './sandbox/clock.ts';
import { faultsOperations } from './sandbox/faults.ts';
import { mailboxOperations } from './sandbox/mailbox.ts';
import { snapshotsOperations, storeOperations } from './sandbox/store.ts';
import { transactionsOperations } from './sandbox/transactions.ts';
import { applicationsOperations, usersOperations } from './sandbox/users.ts';

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

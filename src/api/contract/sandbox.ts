// What only the embedded service can do: sign for a recipient, create users, applications and tokens, read the records.
// Extensions under /_sandbox/, which need the control secret of the store.
import { applicationsOperations } from './sandbox/applications.ts';
import { clockOperations } from './sandbox/clock.ts';
import { faultsOperations } from './sandbox/faults.ts';
import { mailboxOperations } from './sandbox/mailbox.ts';
import { snapshotsOperations } from './sandbox/snapshots.ts';
import { storeOperations } from './sandbox/store.ts';
import { transactionsOperations } from './sandbox/transactions.ts';
import { usersOperations } from './sandbox/users.ts';

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

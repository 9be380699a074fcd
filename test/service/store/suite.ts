// The store's own suite, the same on every database.
import { afterEach } from 'vitest';
import type { TestStores } from '../../support/stores/databases.ts';
import { accountsSuite } from './accounts.ts';
import { commitsSuite } from './commits.ts';
import { dashboardSuite } from './dashboard.ts';
import { listsSuite } from './lists.ts';
import { mailsSuite } from './mails.ts';
import { openingSuite } from './opening.ts';
import { overviewsSuite } from './overviews.ts';
import { recordsSuite } from './records.ts';
import { storySuite } from './story.ts';
import { sweepSuite } from './sweep.ts';
import { transactionsSuite } from './transactions.ts';

export function storeSuite(stores: TestStores): void {
  afterEach(() => stores.clear());
  openingSuite(stores);
  commitsSuite(stores);
  transactionsSuite(stores);
  accountsSuite(stores);
  dashboardSuite(stores);
  listsSuite(stores);
  overviewsSuite(stores);
  recordsSuite(stores);
  mailsSuite(stores);
  storySuite(stores);
  sweepSuite(stores);
}

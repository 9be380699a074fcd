// The store's own suite, the same on every database.
import { afterEach } from 'vitest';
import type { TestStores } from '../../support/stores/databases.ts';
import { accountsSuite } from './accounts.suite.ts';
import { commitsSuite } from './commits.suite.ts';
import { dashboardSuite } from './dashboard.suite.ts';
import { listsSuite } from './lists.suite.ts';
import { mailsSuite } from './mails.suite.ts';
import { openingSuite } from './opening.suite.ts';
import { overviewsSuite } from './overviews.suite.ts';
import { recordsSuite } from './records.suite.ts';
import { storySuite } from './story.suite.ts';
import { sweepSuite } from './sweep.suite.ts';
import { transactionsSuite } from './transactions.suite.ts';

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

// Work in the background reports what fails, and does not end the process that it runs in.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Harness, openHarness } from '../../support/harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness('in process');
});
afterEach(() => harness.close());

test.each(['work', 'sweep'] as const)('%s reports a store that cannot be read', async (task) => {
  const { database } = harness.store;
  const { cache } = database;
  const gone = new Error('The files of the store are gone.');
  database.cache = () => Promise.reject(gone);
  await harness.service[task]();
  database.cache = cache;
  expect(harness.errors.splice(0)).toEqual([gone]);
});

// Playwright: Ada reads her email, and opens her lease in a browser. It is sent once, and each test begins with it.

import { createSandbox } from '@esign-cli/esign/testing';
import { expect, test } from '@playwright/test';

let sandbox;
let lease;
let sent;
test.beforeAll(async () => {
  sandbox = await createSandbox();
  // Served before anything is sent: signing addresses in emails begin with this URL.
  await sandbox.url;
  [lease] = await sandbox.seed('lease.yaml');
  sent = await sandbox.snapshot();
});
test.beforeEach(async ({ page }) => {
  await sandbox.reset(sent);
  const [{ body }] = await sandbox.mailbox.list({ to: 'ada@example.com' });
  await page.goto(/http:\S+/.exec(body)[0]);
});
test.afterAll(() => sandbox.close());

const waitFor = (type) => sandbox.events.waitFor(type, { transactionId: lease.id });

test('Ada signs', async ({ page }) => {
  const click = (name) => page.getByRole('button', { name, exact: true }).click();
  await page.getByLabel('I have read this').check();
  await click('Continue to the documents');
  await page.getByRole('link', { name: 'Sign here' }).first().click();
  await click('Use this signature');
  await click('Review');
  await click('Sign now');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('signed');
  await waitFor('transaction_completed');
});

test('Ada rejects', async ({ page }) => {
  await page.getByRole('link', { name: 'Reject' }).click();
  await page.getByLabel('Reason').fill('The rent is wrong');
  await page.getByRole('button', { name: 'Reject the request' }).click();
  const { data } = await waitFor('transaction_rejected');
  expect(data.rejected_by.email).toBe('ada@example.com');
});

test('Ada opens the email too late', async ({ page }) => {
  await sandbox.clock.advance('15d');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('expired');
});

// What doctor says of sealing: the trial document has names in every script and goes the whole way, on a machine without fonts as well,
// and a transaction that could not be sealed is named.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { missingCharacters } from '../../../src/pdf/fonts/runs.ts';
import { useSystemFontFolders } from '../../../src/pdf/fonts/system-fonts.ts';
import { TRIAL_NAMES } from '../../../src/service/sealing/check-sealing.ts';
import { refusalOf, signWith, startTransaction } from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';

beforeAll(() => useSystemFontFolders([]));
afterAll(() => useSystemFontFolders(undefined));

const sound = createInProcessEngine();
let harness: Harness;
let failure: Error | undefined;

beforeEach(async () => {
  failure = undefined;
  const documents = {
    ...sound,
    certify: (...given: Parameters<typeof sound.certify>) =>
      failure ? Promise.reject(failure) : sound.certify(...given),
  };
  harness = await openHarness('in process', { documents });
});
afterEach(async () => harness.close());

test('seals names in every script without a font of the system', async () => {
  const scripts =
    /\p{sc=Latin}|\p{sc=Greek}|\p{sc=Cyrillic}|\p{sc=Han}|\p{sc=Hangul}|\p{sc=Thai}|\p{sc=Georgian}|\p{sc=Arabic}|\p{sc=Hebrew}|\p{sc=Devanagari}|\p{Extended_Pictographic}/gu;
  const found = TRIAL_NAMES.map((name) => [...name.matchAll(scripts)].length);
  expect(found.filter((letters) => letters > 0).length).toBeGreaterThanOrEqual(11);
  expect(
    TRIAL_NAMES.filter((name) => missingCharacters(name, { family: 'sans' }).length > 0).length,
  ).toBeGreaterThan(4);
  expect(await harness.service.checkSealing()).toEqual({
    state: 'ok',
    says: 'Documents are sealed at level LTA with the certificate authority of the sandbox.',
  });
});

test('fails as sealing itself does when a certificate cannot be drawn', async () => {
  failure = new Error('No font has U+27E8.');
  await expect(harness.service.checkSealing()).rejects.toThrow('No font has U+27E8.');
});

test('names the transaction that could not be sealed until it is sealed', async () => {
  failure = new Error('No font has U+27E8.');
  const [one, other] = [await startTransaction(harness), await startTransaction(harness)];
  await refusalOf(signWith(harness, one.token));
  harness.clock.advance(60_000);
  await refusalOf(signWith(harness, other.token));
  harness.errors.splice(0);
  failure = undefined;
  const finding = await harness.service.checkSealing();
  expect(finding.state).toBe('warn');
  expect(finding.says).toContain(`Transaction ${other.id} could not be sealed at 2026-03-01T09:01:00.000Z`);
  expect(finding.says).toContain('No font has U+27E8. 1 more could not be sealed.');
  expect(finding.hint).toContain(`esign tx show ${other.id}`);
  for (const { token } of [one, other]) await signWith(harness, token);
  expect(await harness.service.checkSealing()).toMatchObject({ state: 'ok' });
});

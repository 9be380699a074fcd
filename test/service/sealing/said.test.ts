// What a certificate says of its own seal: that the sandbox made it, and when, where the clock of the service was set to another time.

import { createHash, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPdf } from '../../../src/pdf/read/read-pdf.ts';
import { textOf } from '../../../src/pdf/read/values.ts';
import type { SealingSettings } from '../../../src/service/sealing/configured-sealing.ts';
import { ConfigurableAuthority } from '../../support/certificates/key-kinds.ts';
import { wordsOnPage } from '../../support/documents/certificate.ts';
import {
  ADA,
  createDraft,
  fieldFor,
  readDetail,
  signWith,
  startTransaction,
} from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

/** Of the contract, before its certificate. */
const PAGES = 3;
const DAY_MS = 24 * 60 * 60 * 1000;
const SANDBOX = 'Sandbox: for testing';
const OTHER_CLOCK = 'This is the time in the signature, from the clock of the machine.';

async function sealedPdf(settings: SealingSettings, set: (harness: Harness) => void): Promise<Uint8Array> {
  const harness = await openHarness('in process', { sealing: async () => settings });
  try {
    set(harness);
    const { id, token } = await startTransaction(harness);
    await signWith(harness, token);
    const [sealed] = (await readDetail(harness, id)).sealed_documents;
    expect(harness.errors).toEqual([]);
    return (await harness.client['file.content']({ params: { fileId: sealed?.id ?? '' } })).bytes;
  } finally {
    await harness.close();
  }
}

/** As the machine's clock, which seals go by whatever the service's clock says. */
const withClockAt = (afterMs: number) => (harness: Harness) => {
  harness.clock.now = Date.now() + afterMs;
};

async function ownKey(): Promise<SealingSettings> {
  const authority = await ConfigurableAuthority.make();
  const holder = await authority.issue('Analytical Engines', { kind: 'documents' });
  const folder = await temporaryFolder();
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  writeFileSync(key, holder.key.export({ type: 'pkcs8', format: 'pem' }) as string);
  writeFileSync(certificate, new X509Certificate(holder.certificate).toString());
  return { key, certificate, level: 'B' };
}

/** What the signature says when it was made, as the certificate would write it. */
function timeInSignature(pdf: Uint8Array): string {
  const file = readPdf(pdf);
  if (!file.ok) throw new Error(file.reason);
  const { latest } = file;
  const [field] = latest.array(latest.dict(latest.dict(latest.root)?.get('AcroForm'))?.get('Fields')) ?? [];
  const [, year, month, day, hour, minute, second] =
    /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(
      textOf(latest.dict(latest.dict(field)?.get('V'))?.get('M')) ?? '',
    ) ?? [];
  return `${year}-${month}-${day} ${hour}:${minute}:${second} UTC`;
}

describe('a certificate', () => {
  test('says that the sandbox sealed, and in whose words its times are', async () => {
    const pdf = await sealedPdf({}, withClockAt(0));
    const words = await wordsOnPage(pdf, PAGES);
    expect(words).toContain(SANDBOX);
    expect(words).toContain('the timestamps and the revocation lists itself');
    expect(words).not.toContain(OTHER_CLOCK);
  });

  test.skipIf(!SLOW)(
    'says that its times are those of this machine, and what its revocation lists are',
    async () => {
      const words = await wordsOnPage(await sealedPdf({}, withClockAt(0)), PAGES);
      expect(words).toContain('those of the clock of that machine; nothing else proves them.');
      expect(words).toContain('were made at sealing, are valid for ten years');
    },
  );

  test('lists what was filled in, and no bytes of a signature', async () => {
    const harness = await openHarness('in process');
    try {
      const draft = await createDraft(harness);
      const params = { transactionId: draft.id };
      const fields = [
        fieldFor(draft, ADA.email, { type: 'text', label: 'Place', page: 1 }),
        fieldFor(draft, ADA.email, { type: 'text', label: 'Left empty', is_required: false, positionY: 500 }),
        fieldFor(draft, ADA.email, { type: 'checkbox', label: 'Read', positionY: 400 }),
        fieldFor(draft, ADA.email, { label: 'Signature', positionY: 300 }),
      ];
      await harness.client['transaction.fields']({ params, body: { fields } });
      await harness.client['transaction.start']({ params });
      const values = { Place: 'Zürich', 'Left empty': '', Read: 'true', Signature: 'Ada' };
      await harness.client['sandbox.sign']({ params, body: { values } });
      const [sealed] = (await readDetail(harness, draft.id)).sealed_documents;
      const { bytes } = await harness.client['file.content']({ params: { fileId: sealed?.id ?? '' } });
      const words = await wordsOnPage(bytes, PAGES);
      expect(words).toContain(
        'Filled in Page 2: Place Zürich Page 1: Read Checked Page 1: Signature Signature, typed',
      );
      expect(words).not.toContain('Left empty');
    } finally {
      await harness.close();
    }
  });

  test.skipIf(!SLOW)('says so of the certificate alone where nothing else is from the sandbox', async () => {
    const words = await wordsOnPage(await sealedPdf({ level: 'B' }, withClockAt(0)), PAGES);
    expect(words).toContain(`${SANDBOX} The sandbox issued the certificate of this seal itself`);
  });

  test.skipIf(!SLOW)('says nothing of a sandbox where a key from outside seals', async () => {
    const words = await wordsOnPage(await sealedPdf(await ownKey(), withClockAt(0)), PAGES);
    expect(words).toContain('Signature certificate');
    expect(words).not.toMatch(/sandbox issued|for testing/i);
  });

  test.each(
    sampleOf(
      [
        ['ahead', 5 * 366 * DAY_MS],
        ['behind', -2 * DAY_MS],
      ],
      2,
    ),
  )('says when the signature was made where the clock of the service is %s', async (_, afterMs) => {
    const pdf = await sealedPdf({}, withClockAt(afterMs));
    const words = await wordsOnPage(pdf, PAGES);
    expect(words).toContain(`Sealed ${timeInSignature(pdf)} ${OTHER_CLOCK}`);
    const completed = new Date(Date.now() + afterMs).toISOString().slice(0, 7);
    expect(words).toContain(`Completed ${completed}`);
  });

  test.skipIf(!SLOW)('names the hash of the sealed content beside the command that computes it', async () => {
    const pdf = await sealedPdf({}, withClockAt(0));
    const words = await wordsOnPage(pdf, PAGES);
    const [, bytes = '', hash, command] =
      /first (\d+) bytes of this file\. .*? The SHA-256 of the sealed content is: ([0-9a-f]{64}) To compute it: (head -c \d+ FILE)/.exec(
        words,
      ) ?? [];
    expect(hash).toBe(
      createHash('sha256')
        .update(pdf.subarray(0, Number(bytes)))
        .digest('hex'),
    );
    expect(command).toBe(`head -c ${bytes} FILE`);
    expect(words).not.toContain('above');
  });
});

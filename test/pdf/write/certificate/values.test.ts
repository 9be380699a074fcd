// The certificate lists what each person filled in: in full, or cut with the hash of the whole value.
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { CERTIFICATE_LIMITS } from '../../../../src/pdf/limits.ts';
import { inspectPdf } from '../../../../src/pdf/render/inspect.ts';
import { certifyPdf } from '../../../../src/pdf/write/certificate/certify-pdf.ts';
import type { CertifiedValue } from '../../../../src/pdf/write/certificate/content.ts';
import { certificateContent, certificateParty, wordsOnPage } from '../../../support/documents/certificate.ts';
import { pagesPdf } from '../../../support/documents/pdf.ts';
import { stampedPdf } from '../../../support/documents/stamped-pdf.ts';
import { SLOW } from '../../../support/tier.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

let base: Uint8Array;
beforeAll(async () => {
  base = (await stampedPdf(pagesPdf(['/MediaBox[0 0 595 842]']))).pdf;
});

/** Joins all pages of the certificate on one line. */
async function wordsWith(...values: CertifiedValue[]): Promise<string> {
  const { pdf } = await certifyPdf(
    base,
    certificateContent({ parties: [certificateParty({ values })] }),
    '{}',
  );
  const inspected = await inspectPdf(pdf, { maxPages: 99 });
  if (!inspected.ok) throw new Error(inspected.reason);
  const pages = inspected.pages.slice(1).map((_, index) => wordsOnPage(pdf, index + 1));
  return (await Promise.all(pages)).join(' ');
}

describe('values on a certificate', () => {
  test('stand beside the field and the page', async () => {
    const words = await wordsWith(
      { label: 'Place', page: 2, text: 'Zürich' },
      { label: '', page: 3, text: 'Checked' },
    );
    expect(words).toContain('Filled in Page 2: Place Zürich Page 3 Checked');
  });

  test('name their document where there are several', async () => {
    const words = await wordsWith({ label: 'Place', page: 2, document: 'annex.pdf', text: 'Zürich' });
    expect(words).toContain('Page 2 of annex.pdf: Place');
  });

  test('name a signature and how it was adopted', async () => {
    const words = await wordsWith(
      { label: 'Here', page: 1, mark: 'signature', kind: 'uploaded' },
      { label: 'There', page: 1, mark: 'initials', kind: 'typed' },
    );
    expect(words).toContain('Page 1: Here Signature, uploaded as an image');
    expect(words).toContain('Page 1: There Initials, typed');
  });

  test('are whole up to the limit', async () => {
    const text = 'word '.repeat(CERTIFICATE_LIMITS.valueCharacters / 5 - 1).concat('at it');
    const words = await wordsWith({ label: 'Text', page: 1, text });
    expect(words).toContain('word word at it');
    expect(words).not.toContain('SHA-256 of the whole value');
  });

  test.skipIf(!SLOW)('are cut above it, between characters, with the hash of the whole value', async () => {
    const text = `${'word '.repeat(CERTIFICATE_LIMITS.valueCharacters / 5 - 1)}abcd𝄞 and more`;
    const words = await wordsWith({ label: 'Text', page: 1, text });
    const { length } = [...text];
    const summary = `These are the first ${CERTIFICATE_LIMITS.valueCharacters} of ${length} characters. SHA-256 of the whole value:`;
    expect(words).toContain(summary);
    expect(words).toContain(hashOf(text));
    expect(words).not.toMatch(/and more|\[U\+D834/);
  });

  test.skipIf(!SLOW)('are counted where there are too many of them', async () => {
    const values = Array.from({ length: CERTIFICATE_LIMITS.values + 2 }, (_, index) => ({
      label: `Field ${index}`,
      page: 1,
      text: `value-${index}`,
    }));
    const words = await wordsWith(...values);
    expect(words).toContain(`value-${CERTIFICATE_LIMITS.values - 1}`);
    expect(words).not.toContain(`value-${CERTIFICATE_LIMITS.values} `);
    expect(words).toContain('2 more values are listed in the record that is attached to this document.');
  });

  test('say nothing where nothing was filled in', async () => {
    expect(await wordsWith()).not.toContain('Filled in');
  });
});

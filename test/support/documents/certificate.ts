// The content of a certificate for tests: one person who signed one document.
import { createHash } from 'node:crypto';
import { readText } from '../../../src/pdf/text/text-layer.ts';
import type { CertificateContent, Party } from '../../../src/pdf/write/certificate/content.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

export const certificateParty = (more: Partial<Party> = {}): Party => ({
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  role: 'signer',
  index: 1,
  color: '#2563eb',
  marks: [],
  values: [],
  signedAt: '2026-11-21T17:42:10.000Z',
  consent: { version: '2026-01', hash: hashOf('consent') },
  steps: [
    {
      at: '2026-11-21T23:41:02.000Z',
      action: 'Opened the documents',
      origin: ['203.0.113.7', 'Firefox 145 on Linux'],
      timeZone: 'Europe/Berlin',
    },
  ],
  ...more,
});

export const certificateContent = (more: Partial<CertificateContent> = {}): CertificateContent => ({
  transaction: {
    id: '0193f0a2-5b1c-7d3e-9f00-1a2b3c4d5e6f',
    name: 'Mutual NDA',
    company: 'Analytical Engines',
    createdAt: '2026-11-20T09:00:00.000Z',
    sentAt: '2026-11-20T09:05:12.000Z',
    completedAt: '2026-11-21T17:42:10.000Z',
    sealedAt: '2026-11-21T17:42:12.000Z',
    service: 'http://127.0.0.1:4010',
  },
  documentId: 'd1',
  documents: [
    {
      id: 'd1',
      name: 'contract.pdf',
      pages: 2,
      originalSha256: hashOf('original'),
      contentSha256: hashOf('content'),
      remarks: ['The layout may differ.'],
      removed: ['Two scripts were taken out.'],
    },
  ],
  parties: [certificateParty()],
  link: 'http://127.0.0.1:4010/transactions/0193f0a2-5b1c-7d3e-9f00-1a2b3c4d5e6f',
  ...more,
});

/** Returns the text of a page on one line. */
export async function wordsOnPage(pdf: Uint8Array, pageIndex: number): Promise<string> {
  const read = await readText(pdf, pageIndex);
  if (!read.ok) throw new Error(`The page cannot be read: ${read.limit}.`);
  return read.runs
    .map(({ text }) => text)
    .join(' ')
    .replace(/\s+/g, ' ');
}

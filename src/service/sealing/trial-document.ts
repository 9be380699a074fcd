// The document that doctor seals: one empty page, and a certificate with names in many scripts. It is thrown away afterwards.
import type { CertificateContent } from '../../pdf/certificate/content.ts';
import {
  chainSteps,
  type EvidenceFacts,
  evidenceText,
  type FileHash,
} from '../../pdf/certificate/evidence.ts';

const OBJECTS = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Resources<<>>>>',
];

/** The smallest PDF. */
export function trialDocument(): Uint8Array {
  let text = '%PDF-1.7\n';
  const places = OBJECTS.map((content, index) => {
    const place = `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${index + 1} 0 obj\n${content}\nendobj\n`;
    return place;
  });
  const size = OBJECTS.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  const end = `trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + end, 'latin1');
}

/** One for each way that names are drawn: from left to right and from right to left, joined, with marks, and without a font. */
export const TRIAL_NAMES = [
  'Ada Łoś',
  'Αδα Λάβλεϊς',
  'Ада Лавлейс',
  'გიორგი ადა',
  'Արամ Արամյան',
  'علي الحسن',
  'שרה כהן',
  'अदा लवलेस',
  'สมชาย ใจดี',
  '王小明',
  'やまだ はなこ',
  '김철수',
  'Ada 👩‍🔬 ✍️',
];

/** @param now instant in ISO 8601 */
export function trialEvidence(now: string, content: FileHash): string {
  const transaction = { id: 'trial', name: 'Trial', company: 'Trial', service: 'http://127.0.0.1/' };
  const people = TRIAL_NAMES.map((name, index) => ({
    id: `trial-${index}`,
    name,
    email: 'trial@example.com',
    role: 'signer',
    index,
  }));
  const document = { id: 'trial', name: 'trial.pdf', media_type: 'application/pdf', pages: 1, remarks: [] };
  const facts: EvidenceFacts = {
    format: 'esign-evidence',
    version: 1,
    transaction: { ...transaction, created_at: now, sent_at: now, completed_at: now },
    documents: [{ ...document, original: content, content }],
    people,
    fields: [],
  };
  return evidenceText(chainSteps(facts, []));
}

/** @param now instant in ISO 8601 */
export function trialCertificate(now: string, sha256: string): CertificateContent {
  const [name = ''] = TRIAL_NAMES;
  return {
    transaction: {
      id: 'trial',
      name,
      company: name,
      createdAt: now,
      sentAt: now,
      completedAt: now,
      sealedAt: now,
      service: 'http://127.0.0.1/',
    },
    documentId: 'trial',
    documents: TRIAL_NAMES.map((one, index) => ({
      id: index === 0 ? 'trial' : `trial-${index}`,
      name: `${one}.pdf`,
      pages: 1,
      originalSha256: sha256,
      contentSha256: sha256,
      remarks: [],
      removed: [],
    })),
    parties: TRIAL_NAMES.map((one, index) => ({
      name: one,
      email: 'trial@example.com',
      role: 'signer',
      index,
      color: '#2563eb',
      marks: [{ mark: 'signature', kind: 'typed', face: 'handwriting', value: one }],
      values: [{ label: one, page: 1, text: one }],
      signedAt: now,
      steps: [],
    })),
    link: 'http://127.0.0.1/transactions/trial',
  };
}

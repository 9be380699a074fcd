// Documents with evidence of a transaction in them, which tests of verifying change.
import { createHash } from 'node:crypto';
import { chainSteps, type Evidence, type EvidenceBase } from '../../../src/pdf/write/certificate/evidence.ts';
import { basePdf, CATALOG, N, type SignOptions, signPdf, streamOf, updated } from './signed-pdf.ts';
import { PKI, WITH_INFO } from './verification.ts';

export const digestAndSize = (bytes: Uint8Array) => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  bytes: bytes.length,
});
export const ORIGINAL = Buffer.from('the file that was uploaded');
export const OTHER_ORIGINAL = Buffer.from('the other file of the transaction');
export const UNSEALED = basePdf();

export const evidenceFacts = (content = digestAndSize(UNSEALED)): EvidenceBase => {
  const document = { id: 'd1', name: 'contract.pdf', media_type: 'application/pdf', pages: 1, remarks: [] };
  const place = { document_id: 'd1', recipient_id: 'r1', page: 0, x: 1, y: 1, width: 9, height: 9 };
  return {
    format: 'esign-evidence',
    version: 1,
    transaction: {
      id: 't1',
      name: 'Contract',
      company: 'Acme',
      service: 'http://127.0.0.1',
      created_at: '2026-11-21T17:00:00.000Z',
      sent_at: '2026-11-21T17:01:00.000Z',
      completed_at: '2026-11-21T18:00:00.000Z',
    },
    documents: [
      { ...document, original: digestAndSize(ORIGINAL), content },
      {
        ...document,
        id: 'd2',
        original: digestAndSize(OTHER_ORIGINAL),
        content: digestAndSize(OTHER_ORIGINAL),
      },
    ],
    people: [{ id: 'r1', name: 'Ada', email: 'ada@example.com', role: 'signer', index: 0 }],
    fields: [
      { id: 'f1', type: 'text', label: 'City', value: 'San Francisco', ...place },
      { id: 'f2', type: 'checkbox', label: 'Agreed', value: 'true', ...place },
      { id: 'f3', type: 'text', label: 'Arabic', value: 'علي', ...place },
      { id: 'f4', type: 'text', label: 'Empty', value: null, ...place },
      { id: 'f5', type: 'text', label: 'Elsewhere', value: 'x', ...place, document_id: 'd2' },
    ],
  };
};

export const evidence = (content?: ReturnType<typeof digestAndSize>): Evidence =>
  chainSteps(
    evidenceFacts(content),
    ['created', 'opened', 'signed'].map((type) => ({
      type,
      at: '2026-11-21T17:30:00.000Z',
      person_id: 'r1',
      details: {},
    })),
  );

/** The objects with which a save attaches evidence. */
export const attachmentsOf = (text: string | Buffer) => ({
  90: streamOf(Buffer.from(text), '/Type/EmbeddedFile'),
  91: '<</Type/Filespec/F(esign-evidence.json)/UF(esign-evidence.json)/AFRelationship/Data/EF<</F 90 0 R>>>>',
  [N.catalog]: CATALOG('/AF[91 0 R]'),
});

/** The file with evidence, signed. */
export const sealedWith = (text: string | Buffer, options: Partial<SignOptions> = {}): Buffer =>
  signPdf(updated(UNSEALED, attachmentsOf(text), WITH_INFO), { party: PKI.signer, ...options });

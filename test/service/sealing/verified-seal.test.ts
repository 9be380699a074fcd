// No transaction is completed with a seal that `esign verify` calls invalid, and documents whose pages are referred to from unusual
// places are sealed with a valid one.
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { CertifyAnswer } from '../../../src/pdf/engine/engine.ts';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { readPdf } from '../../../src/pdf/read/read-pdf.ts';
import { type Sealing, sealPdf } from '../../../src/pdf/sign/seal.ts';
import { signingKeyOf } from '../../../src/pdf/sign/signing-key.ts';
import { ETSI_POLICY } from '../../../src/pdf/verify/verify.ts';
import { certifyPdf } from '../../../src/pdf/write/certificate/certify-pdf.ts';
import { SEAL_FIELD } from '../../../src/pdf/write/certificate/content.ts';
import { associatedFiles } from '../../../src/pdf/write/certificate/evidence-file.ts';
import { trialEvidence } from '../../../src/service/sealing/check-sealing.ts';
import { faultsOfSeal, SealNotValid, sealVerified } from '../../../src/service/sealing/verified-seal.ts';
import { certificate, crl, DAY, TIMESTAMPING, timestampToken } from '../../support/certificates/pki.ts';
import { newServiceAuthority, sharedServiceAuthority } from '../../support/certificates/service-authority.ts';
import { certificateContent } from '../../support/documents/certificate.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { stampedPdf } from '../../support/documents/stamped-pdf.ts';
import { readDetail, refusalOf, signWith, startTransaction } from '../../support/fixtures/transactions.ts';
import { openHarness } from '../../support/harness.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

type Case = { catalog?: string; tree?: string; page?: string; more?: string[] };

const EMPTY_FORM = '/Type/XObject/Subtype/Form/BBox[0 0 1 1]';

/** Object 3 and 4 are the pages, 5 is the first of `more`. */
const REFERRING: Record<string, Case> = {
  'separations of a page': { page: '/SeparationInfo<</Pages[3 0 R 4 0 R]/DeviceColorant/Cyan>>' },
  'data of a program': { page: '/PieceInfo<</App<</LastModified(D:2026)/Private<</Page 4 0 R>>>>>>' },
  'data of a program that names the catalog': { page: '/PieceInfo<</App<</Private 1 0 R>>>>' },
  'steps of a presentation': {
    page: '/PresSteps 5 0 R',
    more: ['<</Type/NavNode/NA<</S/GoTo/D[4 0 R/Fit]>>>>'],
  },
  'a part of the document': { page: '/DPart 5 0 R', more: ['<</Type/DPart/Start 3 0 R/End 4 0 R>>'] },
  'an entry that no standard names': { page: '/Foo 4 0 R' },
  'a node of the page tree': { tree: '/PieceInfo<</App<</Private 4 0 R>>>>' },
  'marked content': { page: '/Resources<</Properties<</P<</Page 4 0 R>>>>>>' },
  'a drawing': {
    page: '/Resources<</XObject<</X 5 0 R>>>>',
    more: [`<<${EMPTY_FORM}/PieceInfo<</App<</Private 3 0 R>>>>/Length 0>>\nstream\n\nendstream`],
  },
  'an optional layer': {
    catalog: '/OCProperties<</OCGs[5 0 R]/D<<>>>>',
    more: ['<</Type/OCG/Name(x)/Usage<</PageElement<</P 3 0 R>>>>>>'],
  },
  'a comment': {
    page: '/Annots[5 0 R]',
    more: ['<</Type/Annot/Subtype/Square/Rect[0 0 5 5]/Foo 4 0 R/P 3 0 R>>'],
  },
};

const documentOf = ({ catalog = '', tree = '', page = '', more = [] }: Case): Buffer =>
  pdfOf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    `<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 200 200]${tree}>>`,
    `<</Type/Page/Parent 2 0 R${page}>>`,
    '<</Type/Page/Parent 2 0 R>>',
    ...more,
  ]);

async function certifiedOf(pdf: Buffer): Promise<Uint8Array> {
  const stamped = (await stampedPdf(pdf)).pdf;
  const sha256 = createHash('sha256').update(stamped).digest('hex');
  const evidence = trialEvidence('2026-03-01T09:00:00.000Z', { sha256, bytes: stamped.length });
  return (await certifyPdf(stamped, certificateContent(), evidence)).pdf;
}

/** Undefined for a seal that is valid. */
async function faultsWith(pdf: Uint8Array, more: Partial<Sealing> = {}): Promise<string | undefined> {
  const { sealing } = await sharedServiceAuthority();
  const sealed = await sealVerified(pdf, SEAL_FIELD, { ...sealing, ...more });
  return sealed instanceof SealNotValid ? sealed.problem : undefined;
}

test.each(sampleOf(Object.entries(REFERRING), 6))(
  'a document is sealed whose pages are referred to by %s',
  async (_, one) => {
    const pdf = await certifiedOf(documentOf(one));
    // The reference is still there, so that the seal is about it.
    expect(Buffer.from(pdf).toString('latin1')).toMatch(
      /SeparationInfo|PieceInfo|PresSteps|DPart|Foo|Properties|PageElement/,
    );
    expect(await faultsWith(pdf)).toBeUndefined();
  },
);

/** A PDF inside, with a number of an object that no object of the file has. */
const INSIDE = Buffer.from('%PDF-1.7\n777 0 obj\n<</Type/Catalog>>\nendobj\n%%EOF\n');
/** Flate that keeps what it cannot make smaller, as of files whose content is compressed. */
const STORED = deflateSync(INSIDE, { level: 0 });

test.each([
  ['as it is', '', INSIDE],
  ['in blocks that are not compressed', '/Filter/FlateDecode', STORED],
  ['in blocks of a list of filters', '/Filter[/FlateDecode]/DecodeParms[null]', STORED],
])('a document is sealed with a PDF inside, %s', async (_, entries, data) => {
  const stream = `<</Type/EmbeddedFile${entries}/Length ${data.length}>>\nstream\n${data.toString('latin1')}\nendstream`;
  const pdf = await certifiedOf(
    documentOf({
      catalog: '/Names<</EmbeddedFiles<</Names[(a.pdf)5 0 R]>>>>/AF[5 0 R]',
      more: ['<</Type/Filespec/F(a.pdf)/UF(a.pdf)/EF<</F 6 0 R>>>>', stream],
    }),
  );
  expect(await faultsWith(pdf)).toBeUndefined();
  const file = readPdf(pdf);
  if (!file.ok) throw new Error(file.reason);
  const [kept] = associatedFiles(file.latest, 'a.pdf');
  expect(file.latest.data(kept)?.toString('latin1')).toBe(INSIDE.toString('latin1'));
});

test('a document is sealed with the original of earlier signatures inside, whose content is compressed', async () => {
  // As hard to compress as pictures are.
  const noise = Array.from({ length: 1000 }, (_, index) =>
    createHash('sha512').update(`${index}`).digest().toString('latin1'),
  ).join('');
  const content = `${noise}\n777 0 obj\n<<>>\nendobj\n${noise}`;
  const original = documentOf({ more: [`<</Length ${content.length}>>\nstream\n${content}\nendstream`] });
  const stamped = (await stampedPdf(original, [], { keepOriginal: { name: 'contract.pdf' } })).pdf;
  expect(Buffer.from(stamped).toString('latin1')).not.toContain('777 0 obj');
});

test.each(sampleOf(['B', 'T', 'LT', 'LTA'] as const, 2))(
  'a seal of level %s is verified at that level',
  async (level) => {
    expect(await faultsWith(await certifiedOf(documentOf({})), { level })).toBeUndefined();
  },
);

test('a seal is not valid whose timestamp is about other data', async () => {
  const { sealing } = await sharedServiceAuthority();
  const other = (await newServiceAuthority()).sealing;
  const pdf = await certifiedOf(documentOf({}));
  const stolen = { ...sealing.timestamps!, timestamp: () => other.timestamps!.timestamp(Buffer.alloc(32)) };
  const sealed = await sealVerified(pdf, SEAL_FIELD, { ...sealing, level: 'T', timestamps: stolen });
  expect(sealed).toMatchObject({ isOfSeal: true, problem: expect.stringContaining('timestamp_invalid') });
});

test('a seal is not valid whose evidence is about another document', async () => {
  const stamped = (await stampedPdf(documentOf({}))).pdf;
  const evidence = trialEvidence('2026-03-01T09:00:00.000Z', { sha256: 'a'.repeat(64), bytes: 100 });
  const { pdf } = await certifyPdf(stamped, certificateContent(), evidence);
  expect(await faultsWith(pdf)).toBe('evidence_of_another');
});

test('a seal is valid whose timestamps alone bring the certificates of their authority', async () => {
  const now = Date.now();
  const valid = { from: now - DAY, until: now + DAY };
  const issuer = certificate('Other Root', { isCa: true, ...valid });
  const purposes = { purposes: [TIMESTAMPING], isPurposeCritical: true };
  const tsa = certificate('Other TSA', { issuer, ...purposes, ...valid });
  const timestamps = {
    digest: 'sha256' as const,
    certificates: [],
    timestamp: async (imprint: Uint8Array) =>
      timestampToken(tsa, imprint, { imprint: Buffer.from(imprint), at: now }),
  };
  expect(await faultsWith(await certifiedOf(documentOf({})), { level: 'T', timestamps })).toBeUndefined();
});

test('a seal is verified as of the time of an authority whose clock is ahead', async () => {
  const { sealing } = await sharedServiceAuthority();
  const pdf = await certifiedOf(documentOf({}));
  const clock = () => new Date(Date.parse(sealing.clock()) - 60_000).toISOString();
  expect(await faultsWith(pdf, { clock, level: 'T' })).toBeUndefined();
});

test.each(sampleOf(['B', 'T', 'LT', 'LTA'] as const, 2))(
  'a seal of level %s is made with RSA in the form of PKCS #1 v1.5 after the end of its days',
  async (level) => {
    const now = Date.parse('2029-06-01T12:00:00Z');
    const valid = { kind: 'rsa', from: now - DAY, until: now + DAY } as const;
    const root = certificate('RSA Root', { isCa: true, ...valid });
    const issuer = certificate('RSA Issuing', { issuer: root, isCa: true, ...valid });
    const party = certificate('RSA Seal', { issuer, ...valid });
    const purposes = { purposes: [TIMESTAMPING], isPurposeCritical: true };
    const tsa = certificate('RSA TSA', { issuer: root, ...purposes, ...valid });
    const sealing: Sealing = {
      signer: {
        key: signingKeyOf(party.keys.privateKey),
        certificates: party.chain,
      },
      timestamps: {
        digest: 'sha256',
        certificates: tsa.chain,
        timestamp: async (imprint) =>
          timestampToken(tsa, imprint, { imprint: Buffer.from(imprint), at: now }),
      },
      revocationLists: async () =>
        [root, issuer].map((one) => crl(one, { from: now - DAY, until: now + DAY })),
      level,
      clock: () => new Date(now).toISOString(),
    };
    const pdf = await certifiedOf(documentOf({}));
    expect(await faultsWith(pdf, sealing)).toBeUndefined();
    expect(await sealVerified(pdf, SEAL_FIELD, sealing, ETSI_POLICY)).toMatchObject({
      problem: expect.stringContaining('_weak'),
    });
  },
);

describe('of a sealed file, it is a fault', () => {
  /** The faults that are named where the file is changed, or something else is asked of it. */
  async function codes(change: (sealed: Buffer) => Uint8Array, fieldName: string, level: Sealing['level']) {
    const { sealing } = await sharedServiceAuthority();
    const tokens: Uint8Array[] = [];
    const timestamps = {
      ...sealing.timestamps!,
      async timestamp(imprint: Uint8Array) {
        tokens.push(await sealing.timestamps!.timestamp(imprint));
        return tokens.at(-1)!;
      },
    };
    const pdf = await certifiedOf(documentOf({}));
    const sealed = await sealPdf(pdf, SEAL_FIELD, { ...sealing, level, timestamps });
    return faultsOfSeal(change(Buffer.from(sealed)), fieldName, sealing, tokens).map(({ code }) => code);
  }
  const same = (sealed: Buffer) => sealed;

  test('not to be changed at all: there is none', async () => {
    expect(await codes(same, SEAL_FIELD, 'LTA')).toEqual([]);
  });

  test('to have a lower level than was asked for', async () => {
    expect(await codes(same, SEAL_FIELD, 'T')).toEqual(['level_too_low']);
  });

  test('to have the seal in another field', async () => {
    expect(await codes(same, 'Other', 'LTA')).toEqual(['contents_missing']);
  });

  test('to be unreadable', async () => {
    const cut = (sealed: Buffer) => sealed.subarray(0, sealed.length - 40);
    expect(await codes(cut, SEAL_FIELD, 'LTA')).toEqual(['signed_part_unreadable']);
  });

  test.skipIf(!SLOW)('to have a timestamp of the document that is about other bytes', async () => {
    const changed = (sealed: Buffer) => {
      // In the validation data, behind the seal.
      const at = sealed.indexOf('/DSS', sealed.indexOf('/ByteRange'));
      sealed[sealed.indexOf('stream', at) + 20]! ^= 1;
      return sealed;
    };
    expect(await codes(changed, SEAL_FIELD, 'LTA')).toContain('timestamp_mismatch');
  });
});

test.each([
  ['key_weak', true],
  ['untrusted', true],
  ['timestamp_future', true],
  ['level_too_low', true],
  ['digest_mismatch', false],
  ['changed_content', false],
  ['evidence_of_another', false],
] as const)('%s is a fault of what seals: %s', (code, isOfSeal) => {
  expect(new SealNotValid([{ code }]).isOfSeal).toBe(isOfSeal);
});

test('a transaction is not completed with a seal that is not valid, and the reason is reported', async () => {
  const sound = createInProcessEngine();
  let isBroken = true;
  const harness = await openHarness('in process', {
    documents: {
      ...sound,
      // The bytes in front of the certificate are no longer those that the evidence names.
      async certify(...given): Promise<CertifyAnswer> {
        const certified = await sound.certify(...given);
        if (isBroken && certified.ok) certified.pdf[certified.pdf.indexOf(0xe2)] = 0xe3;
        return certified;
      },
    },
  });
  try {
    const { id, token } = await startTransaction(harness);
    const refusal = await refusalOf(signWith(harness, token));
    expect(refusal).toMatchObject({ code: 'document_not_sealable', status: 422 });
    const { status, sealing_failed_reason } = await readDetail(harness, id);
    expect(status).toBe('started');
    expect(sealing_failed_reason).toContain(
      '"contract.pdf" cannot be sealed: the sealed document does not pass verification: evidence_of_another.',
    );
    expect(harness.errors.splice(0)).toMatchObject([{ name: 'SealNotValid' }]);
    expect(harness.failed.splice(0)).toEqual([`transaction ${id}`]);
    isBroken = false;
    await signWith(harness, token);
    expect(await readDetail(harness, id)).toMatchObject({ status: 'completed', sealing_failed_reason: null });
  } finally {
    await harness.close();
  }
});

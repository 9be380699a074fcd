// Checks whether documents can be sealed with the current settings: seals a trial document completely, compares the clocks, and
// looks for transactions that could not be sealed. It writes nothing.
import { epochMsOf, type Instant } from '../../common/instant.ts';
import { sha256Of } from '../../common/sha256.ts';
import type { CertifyAnswer, DocumentEngine, Source, StampAnswer } from '../../pdf/engine/engine.ts';
import { digestOf } from '../../pdf/sign/algorithms.ts';
import { describeTime, readCertificate } from '../../pdf/sign/certificate.ts';
import { type Sealing, SealingUnavailable } from '../../pdf/sign/seal.ts';
import { ETSI_POLICY } from '../../pdf/verify/verify.ts';
import { type CertificateContent, SEAL_FIELD } from '../../pdf/write/certificate/content.ts';
import {
  chainSteps,
  type EvidenceBase,
  evidenceText,
  type FileHash,
} from '../../pdf/write/certificate/evidence.ts';
import { AUTHORITY, findNotSealed, findStoredAuthority } from '../store/documents/sealing.ts';
import type { Store } from '../store/store.ts';
import {
  type Authority,
  findOutdated,
  issueSigner,
  makeAuthority,
  renewAuthority,
  revocationListsOf,
  signerOf,
  timestampsOf,
} from './authority.ts';
import { createWebAuthority, loadConfiguredSealing, type SealingSettings } from './configured-sealing.ts';
import { SealNotValid, sealVerified } from './verified-seal.ts';
import { askForTimestamp } from './web-timestamps.ts';

export type SealingFinding = {
  state: 'ok' | 'warn' | 'fail';
  says: string;
  hint?: string;
  /** An authority does not answer now: nothing is wrong with the key and its certificates. */
  isTemporary?: boolean;
};

type CheckDeps = {
  store: Store;
  /** It is false for a team server. */
  isSandbox: boolean;
  documents: DocumentEngine;
  clock: () => Instant;
  random: (bytes: number) => Uint8Array;
};

const DAY_MS = 24 * 60 * 60 * 1000;
const ENDS_SOON_MS = 30 * DAY_MS;
const CLOCK_OFF_MS = 60_000;

export async function checkSealing(settings: SealingSettings, deps: CheckDeps): Promise<SealingFinding> {
  try {
    const stored = await loadAuthority(deps);
    const sealing = await loadConfiguredSealing(settings, await trialSealing(stored, deps), deps);
    const trial = await sealTrial(sealing, deps);
    if (trial?.state === 'fail') return trial;
    return (
      (await findFailures(deps)) ??
      (await checkClock(settings, deps.clock)) ??
      trial ??
      (stored && authorityFinding(stored, deps)) ??
      certificateFinding(settings, sealing, deps)
    );
  } catch (error) {
    if (error instanceof SealingUnavailable)
      return {
        state: 'fail',
        says: error.message,
        hint: error.wayOut,
        ...(/^(timestamps|revocation)$/.test(error.reason) && { isTemporary: true }),
      };
    throw error;
  }
}

/** Stamps, certifies, seals and verifies the trial document. @returns the finding where that is not possible */
async function sealTrial(
  sealing: Sealing,
  { documents, clock }: CheckDeps,
): Promise<SealingFinding | undefined> {
  const trial = trialDocument();
  const stamped = await documents.stamp(sourceOf(trial), { fields: [] }, OWNER);
  if (!stamped.ok) return notMade(stamped);
  const source = sourceOf(stamped.pdf);
  const { sha256 } = source;
  const certificate = trialCertificate(clock(), sha256);
  const evidence = trialEvidence(clock(), { sha256, bytes: stamped.pdf.length });
  const certified = await documents.certify(source, certificate, evidence, OWNER);
  if (!certified.ok) return notMade(certified);
  const judged = await sealVerified(certified.pdf, SEAL_FIELD, sealing, ETSI_POLICY);
  if (!(judged instanceof SealNotValid)) return undefined;
  const sealed = await sealVerified(certified.pdf, SEAL_FIELD, sealing);
  if (!(sealed instanceof SealNotValid))
    return {
      state: 'warn',
      says: `Documents are sealed with weak algorithms, which "esign verify" calls indeterminate: ${judged.problem}.`,
      hint: 'Use another key, certificate or timestamp authority: elliptic curves, or RSA-PSS with 3072 bits.',
    };
  return {
    state: 'fail',
    says: `The seal of a trial document does not pass verification: ${sealed.problem}.`,
    hint: sealed.isOfSeal
      ? 'Check the key, the certificates and the timestamp authority.'
      : 'Report this as a bug.',
  };
}

const OWNER = 'doctor';

const sourceOf = (pdf: Uint8Array): Source => ({
  sha256: sha256Of(pdf),
  bytes: async () => pdf,
});

const notMade = ({ reason }: Extract<StampAnswer | CertifyAnswer, { ok: false }>): SealingFinding => ({
  state: 'fail',
  says: `A trial document could not be prepared for sealing (${reason}).`,
  hint: 'Run `esign doctor` again. If it fails again, report this as a bug.',
});

/** @returns undefined where no transaction waits whose last signature was refused */
async function findFailures({ store }: CheckDeps): Promise<SealingFinding | undefined> {
  const { count, latest } = await store.database.read(findNotSealed);
  if (!latest) return undefined;
  const others = count === 1 ? '' : ` ${count - 1} more could not be sealed.`;
  return {
    state: 'warn',
    says: `Transaction ${latest.id} could not be sealed at ${latest.at}: ${latest.reason}${others}`,
    hint: `Run \`esign tx show ${latest.id}\`. Once the cause is removed, the last recipient can sign again.`,
  };
}

async function loadAuthority({ store }: CheckDeps): Promise<Authority | undefined> {
  const stored = await store.database.read((db) => findStoredAuthority(db, store.keys, AUTHORITY));
  return stored && (JSON.parse(stored.content) as Authority);
}

/** Prepares what documents are sealed with without settings, with renewed certificates or a new authority that are thrown away afterwards. */
async function trialSealing(
  stored: Authority | undefined,
  { clock, random, isSandbox }: CheckDeps,
): Promise<Sealing> {
  const context = { now: clock(), random };
  const authority = await (stored
    ? renewAuthority(stored, context)
    : makeAuthority(isSandbox ? 'sandbox' : 'server', context));
  return {
    signer: signerOf(authority, await issueSigner(authority, 'Trial', context)),
    timestamps: timestampsOf(authority, { clock, random }),
    revocationLists: () => revocationListsOf(authority, clock()),
    level: 'LTA',
    clock,
  };
}

async function checkClock(
  settings: SealingSettings,
  clock: () => Instant,
): Promise<SealingFinding | undefined> {
  const authority = await createWebAuthority(settings);
  if (!authority) return undefined;
  const { time } = await askForTimestamp(authority, digestOf(authority.digest, Buffer.from('clock')));
  const off = epochMsOf(clock()) - time;
  if (Math.abs(off) <= CLOCK_OFF_MS) return undefined;
  return {
    state: 'warn',
    says: `The clock of this machine is ${Math.round(Math.abs(off) / 1000)} s ${off > 0 ? 'ahead of' : 'behind'} the timestamp authority.`,
    hint: 'Correct the clock, or turn on time synchronization.',
  };
}

/** @returns undefined where each certificate of the authority is valid now */
function authorityFinding(authority: Authority, { clock, isSandbox }: CheckDeps): SealingFinding | undefined {
  const now = clock();
  const [kind] = findOutdated(authority, now);
  if (!kind) return undefined;
  const { notBefore, notAfter } = readCertificate(Buffer.from(authority[kind].certificate, 'base64'))!;
  return {
    state: 'warn',
    says: `A certificate of ${isSandbox ? "the sandbox's" : "this installation's"} certificate authority is valid from ${describeTime(notBefore)} to ${describeTime(notAfter)}, and the clock of this machine says ${now}.`,
    hint: `Check the clock. If it is right, the next document to be sealed renews the certificate; then run \`${isSandbox ? 'esign sandbox ca export' : 'esign serve ca'}\` again.`,
  };
}

function certificateFinding(
  settings: SealingSettings,
  { signer, level }: Sealing,
  { clock, isSandbox }: CheckDeps,
): SealingFinding {
  const now = clock();
  const { notAfter } = readCertificate(signer.certificates[0]!)!;
  const isOwn = settings.key !== undefined || settings.p12 !== undefined;
  const by = isOwn
    ? 'with the configured key'
    : `with the certificate authority of ${isSandbox ? 'the sandbox' : 'this installation'}`;
  const stamps = settings.tsa === undefined ? '' : `, timestamps from ${settings.tsa}`;
  if (isOwn && notAfter < epochMsOf(now) + ENDS_SOON_MS)
    return {
      state: 'warn',
      says: `The sealing certificate expires at ${describeTime(notAfter)}.`,
      hint: 'Replace it before then. Documents that are already sealed stay valid.',
    };
  return { state: 'ok', says: `Documents are sealed at level ${level} ${by}${stamps}.` };
}

// --- The trial document: one empty page, and a certificate with names in many scripts ---

const OBJECTS = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Resources<<>>>>',
];

/** Writes the smallest PDF. */
function trialDocument(): Uint8Array {
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

/** The names are drawn in each way that there is: from left to right and from right to left, joined, with marks, and without a font. */
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
  const evidence: EvidenceBase = {
    format: 'esign-evidence',
    version: 1,
    transaction: { ...transaction, created_at: now, sent_at: now, completed_at: now },
    documents: [{ ...document, original: content, content }],
    people,
    fields: [],
  };
  return evidenceText(chainSteps(evidence, []));
}

/** @param now instant in ISO 8601 */
function trialCertificate(now: string, sha256: string): CertificateContent {
  const [first = ''] = TRIAL_NAMES;
  return {
    transaction: {
      id: 'trial',
      name: first,
      company: first,
      createdAt: now,
      sentAt: now,
      completedAt: now,
      sealedAt: now,
      service: 'http://127.0.0.1/',
    },
    documentId: 'trial',
    documents: TRIAL_NAMES.map((name, index) => ({
      id: index === 0 ? 'trial' : `trial-${index}`,
      name: `${name}.pdf`,
      pages: 1,
      originalSha256: sha256,
      contentSha256: sha256,
      remarks: [],
      removed: [],
    })),
    parties: TRIAL_NAMES.map((name, index) => ({
      name,
      email: 'trial@example.com',
      role: 'signer',
      index,
      color: '#2563eb',
      marks: [{ mark: 'signature', kind: 'typed', face: 'handwriting', value: name }],
      values: [{ label: name, page: 1, text: name }],
      signedAt: now,
      steps: [],
    })),
    link: 'http://127.0.0.1/transactions/trial',
  };
}

// Verifies every signature and timestamp of a PDF: what each covers, who made it, when, whether that is proven, and what
// changed afterwards. It must never ask a network, change the file, or call anything valid that it did not understand.

import { VERIFY_LIMITS } from '../limits.ts';
import { type AlgorithmPolicy, ETSI_POLICY, weakHash, weaknessFacts } from '../sign/algorithm-policy.ts';
import { digestOf, type HashName } from '../sign/algorithms.ts';
import { type Certificate, readCertificate } from '../sign/certificate.ts';
import {
  type Cms,
  checkBareRsa,
  checkCms,
  findSigner,
  hasSigningCertificate,
  readBareRsa,
  readCms,
  timestampTokensOf,
} from '../sign/cms.ts';
import { OID } from '../sign/object-identifiers.ts';
import type { Revocations } from '../sign/revocation-status.ts';
import { checksOfFile } from '../sign/signed-by.ts';
import { readToken, type Token } from '../sign/timestamp.ts';
import { type PdfFile, type PdfView, readPdf, type Unreadable } from '../syntax/read-pdf.ts';
import { type Chain, type CheckedToken, chainOf, checkToken, type Trust } from './chain.ts';
import type { Change, Permission, StepBudget } from './changes/diff-context.ts';
import { type Coverage, coverageOf, isCoverage } from './coverage.ts';
import { type Claims, certificationOf, claimsOf, locksOf } from './dictionary.ts';
import { type SignatureField, signatureFieldsOf } from './fields.ts';
import { type Fault, judgementOf } from './findings.ts';
import { type LaterSave, laterSavesOf } from './later-saves.ts';
import { type Level, levelOf, type NotHigher, type OwnChain } from './level.ts';
import { changesSince } from './rules/changes-since.ts';
import type { Irregularity } from './rules/rule.ts';
import { findSignedIrregularity } from './rules/save-syntax.ts';
import { joinedData, pooledData, type StoredValidationData, validationDataOf } from './validation-data.ts';

export type Question = {
  trust: Trust;
  /** When the file is looked at, in milliseconds since 1970. */
  now: number;
  /** The least level that every signature must reach. */
  level?: Level | undefined;
  /** Of an encrypted file. */
  password?: string | undefined;
  /** Until when algorithms and keys may be relied on; the standard's where it is absent. */
  policy?: AlgorithmPolicy | undefined;
};

export type SignatureReport = {
  kind: 'signature' | 'timestamp';
  field: string;
  /** The object of its dictionary. */
  object: number | undefined;
  claims: Claims;
  /** What was signed: the bytes around the gap, up to the end, which is that of a save (counted from 0). */
  covers:
    | { gap: { start: number; end: number }; end: number; save: number; isWholeFile: boolean }
    | undefined;
  signer: Certificate | undefined;
  algorithm: string | undefined;
  chain: Chain | undefined;
  /** When it existed at the latest, by whose clock; undefined where nothing proves a time. */
  proven: { time: number; by: string } | undefined;
  certification: Permission | undefined;
  level: Level | undefined;
  notHigher: NotHigher[];
  changes: Change[];
  /** The saves that came after it. */
  laterSaves: LaterSave[];
  faults: Fault[];
};

export type PdfReport = {
  ok: true;
  file: PdfFile;
  /** In the order in which they were made. */
  signatures: SignatureReport[];
  /** What readers may have shown differently from the beginning, in the part that the first signature covers. */
  irregularity: Irregularity | undefined;
  /** Fields that are there to be signed and are not. */
  emptyFields: string[];
  /** More fields or signatures than are looked at. */
  isCut: boolean;
};

const TOO_COMPLEX: Unreadable = { ok: false, reason: 'too_complex', at: 0 };

/** @param input a file, or what it was read as */
export function verifyPdf(
  input: Uint8Array | PdfFile | Unreadable,
  question: Question,
): PdfReport | Unreadable {
  const file = input instanceof Uint8Array ? readPdf(input, question.password) : input;
  if (!file.ok) return file;
  // What was encrypted later is read as it is: that is a change like any other.
  if (file.locked && file.sections.every(({ trailer }) => trailer.has('Encrypt')))
    return { ok: false, reason: file.locked, at: 0 };
  const { signed, empty, isCut } = signatureFieldsOf(file.latest);
  const looked = signed.slice(0, VERIFY_LIMITS.signatures).map((field) => parseSignature(file, field));
  const inOrder = looked.sort((one, other) => endOf(one) - endOf(other));
  const dataOf = remembered(validationDataOf);
  const covered = inOrder.flatMap(({ coverage }) => (coverage ? [dataOf(coverage.view)] : []));
  const data = joinedData([...covered, dataOf(file.latest)]);
  // What was not read may say that a certificate was revoked.
  if (data.isCut || file.isExhausted()) return TOO_COMPLEX;
  const checks = checksOfFile();
  const budget: StepBudget = { remaining: VERIFY_LIMITS.changeSteps };
  const signatures = inOrder.flatMap(({ cms, token }) => token?.cms ?? cms ?? []);
  const tokens = signatures.flatMap((cms) => timestampTokensOf(cms).slice(0, VERIFY_LIMITS.timestamps));
  const pool = pooledData(data, [...signatures, ...tokens.flatMap((token) => readToken(token)?.cms ?? [])], {
    checks,
    policy: question.policy ?? ETSI_POLICY,
  });
  const clock = clockOf(inOrder, data, pool, question);
  const first = inOrder.find(({ coverage }) => coverage)?.coverage;
  const reports = inOrder.map((one) =>
    reportOn(one, { file, inOrder, data, pool, dataOf, clock, question, budget }),
  );
  if (checks.remaining < 0 || budget.remaining <= 0 || file.isExhausted()) return TOO_COMPLEX;
  return {
    ok: true,
    file,
    signatures: reports,
    irregularity: first && findSignedIrregularity(file, first.view),
    emptyFields: empty,
    isCut: isCut || signed.length > VERIFY_LIMITS.signatures,
  };
}

/** Each view is asked once: later signatures ask of the same ones. */
function remembered<T>(make: (view: PdfView) => T): (view: PdfView) => T {
  const known = new Map<PdfView, T>();
  return (view) => {
    const made = known.get(view) ?? make(view);
    known.set(view, made);
    return made;
  };
}

/** A signature as it lies in the file, before anything of it is checked. */
type ParsedSignature = {
  field: SignatureField;
  claims: Claims;
  coverage: Coverage | undefined;
  faults: Fault[];
  cms: Cms | undefined;
  token: Token | undefined;
  certification: Permission | undefined;
};

const endOf = ({ coverage }: ParsedSignature) => coverage?.end ?? Number.POSITIVE_INFINITY;

function parseSignature(file: PdfFile, field: SignatureField): ParsedSignature {
  const claims = claimsOf(file.latest, field.dict);
  const found = coverageOf(file, field);
  const coverage = isCoverage(found) ? found : undefined;
  const faults = isCoverage(found) ? [] : found;
  const looked: ParsedSignature = {
    field,
    claims,
    coverage,
    faults,
    cms: undefined,
    token: undefined,
    certification: certificationOf(file.latest, field.dict, field.field.dict),
  };
  const object = field.number === undefined ? {} : { object: field.number };
  if (claims.format === 'unknown') {
    const facts = { format: claims.subFilter };
    return { ...looked, faults: [...faults, { code: 'format_unknown', ...object, facts }] };
  }
  if (!coverage) return looked;
  const token = claims.format === 'timestamp' ? readToken(coverage.contents) : undefined;
  const cms = token?.cms ?? readValue(claims, coverage.contents);
  if (!cms) {
    const code = claims.format === 'timestamp' ? 'timestamp_malformed' : 'cms_malformed';
    return { ...looked, faults: [{ code, ...object }] };
  }
  const isFilledUp = coverage.contents.subarray(cms.end).every((byte) => byte === 0);
  if (!isFilledUp) faults.push({ code: 'contents_malformed', ...object });
  // What a signature holds itself is not what stands in the document.
  if (!token && cms.content && claims.format !== 'digest_inside')
    faults.push({ code: 'cms_content_inside', ...object });
  return { ...looked, faults, cms, token };
}

/** The value of a signature that is no timestamp. */
function readValue({ format, certificates }: Claims, contents: Buffer): Cms | undefined {
  if (format === 'timestamp') return undefined;
  if (format !== 'bare_rsa') return readCms(contents);
  const read = certificates.map(readCertificate);
  return read.every((one) => one !== undefined) ? readBareRsa(contents, read) : undefined;
}

// ── time ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What document timestamps prove: each, and the earliest time at which bytes up to a place are known to have existed. */
type Clock = {
  checked: Map<ParsedSignature, CheckedToken>;
  /** Of what ends at `end`. */
  provenFor(end: number): Proof | undefined;
  /** The latest time that is proven of what ends before `end`: what covers it was made later. */
  provenBefore(end: number): number | undefined;
};

/** A time before which something existed, and whose word that is. */
type Proof = { time: number; by: string; chain?: OwnChain | undefined };

/** The last timestamp is checked as of today, and each one before it as of the time that the next one proves. */
function clockOf(
  inOrder: ParsedSignature[],
  data: StoredValidationData,
  revocations: Revocations,
  { trust, now }: Question,
): Clock {
  const checked = new Map<ParsedSignature, CheckedToken>();
  const proofs: (Proof & { end: number })[] = [];
  const provenFor = (end: number) =>
    proofs.filter((proof) => proof.end > end).sort((one, other) => one.time - other.time)[0];
  for (const looked of [...inOrder].reverse()) {
    const { token, coverage, faults } = looked;
    if (!token || !coverage) continue;
    const result = checkToken(token, coverage.digest, {
      others: data.certificates,
      trust,
      revocations,
      time: provenFor(coverage.end)?.time ?? now,
      latest: now,
    });
    checked.set(looked, result);
    if (result.faults.length > 0 || faults.length > 0) continue;
    const chain = result.chain && { chain: result.chain, own: token.cms.certificates };
    proofs.push({ end: coverage.end, time: token.time, by: result.authority?.name ?? '', chain });
  }
  const provenBefore = (end: number) =>
    proofs.filter((proof) => proof.end < end).sort((one, other) => other.time - one.time)[0]?.time;
  return { checked, provenFor, provenBefore };
}

// ── one signature ───────────────────────────────────────────────────────────────────────────────────────────────

type VerifyContext = {
  file: PdfFile;
  inOrder: ParsedSignature[];
  data: StoredValidationData;
  /** All that the file says of revocation. */
  pool: Revocations;
  clock: Clock;
  question: Question;
  budget: StepBudget;
  /** What the document had for checking certificates after a save. */
  dataOf(view: PdfView): StoredValidationData;
};

function reportOn(looked: ParsedSignature, around: VerifyContext): SignatureReport {
  const { field, claims, coverage, certification } = looked;
  const judged = coverage
    ? changesSince(
        around.file,
        coverage.view,
        coverage.end,
        {
          permission: permissionAfter(looked, around.inOrder),
          isLocked: locksOf(coverage.view, field.dict, field.field.dict),
        },
        around.budget,
      )
    : { changes: [], faults: [] };
  const made = looked.token ? validateTimestamp(looked, around) : validateSignature(looked, around);
  return {
    kind: claims.format === 'timestamp' ? 'timestamp' : 'signature',
    field: field.name,
    object: field.number,
    claims,
    covers: coverage && {
      gap: coverage.gap,
      end: coverage.end,
      save: coverage.view.index,
      isWholeFile: coverage.end === around.file.bytes.length,
    },
    certification,
    changes: judged.changes,
    laterSaves: coverage
      ? laterSavesOf(around.file, coverage.view.index, judged.changes, madeWith(around.inOrder))
      : [],
    ...made,
    faults: [...looked.faults, ...made.faults, ...judged.faults],
  };
}

/** The save with which each signature was made. */
const madeWith = (inOrder: ParsedSignature[]) =>
  inOrder.flatMap(({ field, coverage }) =>
    coverage ? [{ field: field.name, object: field.number, index: coverage.view.index }] : [],
  );

const STRICTEST: readonly Permission[] = ['nothing', 'form', 'notes'];

/** The strictest of what this signature and those before it allow. */
function permissionAfter(looked: ParsedSignature, inOrder: ParsedSignature[]): Permission {
  const until = inOrder.slice(0, inOrder.indexOf(looked) + 1);
  return STRICTEST.find((one) => until.some(({ certification }) => certification === one)) ?? 'approval';
}

type ValidationResult = Pick<
  SignatureReport,
  'signer' | 'algorithm' | 'chain' | 'proven' | 'level' | 'notHigher' | 'faults'
>;

function validateTimestamp(looked: ParsedSignature, { clock }: VerifyContext): ValidationResult {
  const checked = clock.checked.get(looked);
  const { token } = looked;
  const isProven = checked?.faults.length === 0 && looked.faults.length === 0;
  return {
    signer: checked?.authority,
    algorithm: token?.cms.algorithm?.name,
    chain: checked?.chain,
    proven: isProven && token ? { time: token.time, by: checked.authority?.name ?? '' } : undefined,
    level: undefined,
    notHigher: [],
    faults: checked?.faults ?? [],
  };
}

const NOT_MADE: ValidationResult = {
  signer: undefined,
  algorithm: undefined,
  chain: undefined,
  proven: undefined,
  level: undefined,
  notHigher: [],
  faults: [],
};

function validateSignature(looked: ParsedSignature, around: VerifyContext): ValidationResult {
  const { cms, coverage, claims } = looked;
  const { data, pool: revocations, clock, question } = around;
  const { checks, policy } = revocations;
  if (!cms || !coverage) return NOT_MADE;
  const others = [...cms.certificates, ...data.certificates];
  const signer = findSigner(cms, others);
  const asked = { others, trust: question.trust, revocations, latest: question.now };
  const existed = clock.provenFor(coverage.end);
  const tokens = tokensOf(cms, { ...asked, time: existed?.time ?? question.now });
  const proofs = [...tokens.proofs, ...(existed ? [existed] : [])].sort(
    (one, other) => one.time - other.time,
  );
  const proven = proofs[0];
  const made = { before: proven?.time, after: clock.provenBefore(coverage.end) };
  const time = proven?.time ?? question.now;
  const chain = signer && chainOf({ ...asked, certificate: signer, purpose: 'sign', time, made });
  const faults = [
    ...valueFaults(cms, coverage, claims, { signer, others, time, checks, policy }),
    ...(chain?.faults ?? []),
    ...tokens.faults,
  ];
  // Which certificate signed has to be signed along in this format (EN 319 142-1, 6.3).
  if (claims.format === 'pades' && !hasSigningCertificate(cms)) faults.push({ code: 'attributes_missing' });
  const all = [...looked.faults, ...faults];
  const reached = levelOf({
    claims,
    cms,
    isSound: judgementOf(all).verdict !== 'invalid',
    isTrusted: all.length === 0,
    isTimed: proven !== undefined,
    chains: [
      chain && { chain, own: cms.certificates },
      ...(proven?.chain ? [proven.chain] : []),
      ...tokens.chains,
    ],
    data,
    later: around.inOrder.flatMap((one) => {
      const isLater = endOf(one) > coverage.end && clock.checked.get(one)?.faults.length === 0;
      const { coverage: covered, token } = one;
      return isLater && covered && token ? [{ ...around.dataOf(covered.view), time: token.time }] : [];
    }),
    known: { checks, policy },
    time,
    now: question.now,
  });
  if (question.level && !reached.isAtLeast(question.level))
    faults.push({ code: 'level_too_low', facts: { level: reached.level ?? '', wanted: question.level } });
  return {
    signer,
    algorithm: cms.algorithm?.name,
    chain,
    proven: proven && { time: proven.time, by: proven.by },
    level: reached.level,
    notHigher: reached.notHigher,
    faults,
  };
}

type ValueQuestion = Omit<Parameters<typeof checkCms>[1], 'signed'>;

/** What is wrong with the value of a signature, against the document. */
function valueFaults(
  cms: Cms,
  { digest, data }: Coverage,
  { format }: Claims,
  question: ValueQuestion,
): Fault[] {
  const signed = { type: OID.data, digest, data };
  if (format === 'bare_rsa') return checkBareRsa(cms, { ...question, signed });
  if (format !== 'digest_inside') return checkCms(cms, { ...question, signed });
  const content = cms.content ?? Buffer.alloc(0);
  if (!digest('sha1').equals(content)) return [{ code: 'digest_mismatch' }];
  const weak = weakHash('sha1', question.time, question.policy);
  const inside = {
    type: OID.data,
    digest: (hash: HashName) => digestOf(hash, content),
    data: () => content,
  };
  const faults = checkCms(cms, { ...question, signed: inside });
  if (!weak || faults.some(({ code }) => code === 'algorithm_weak')) return faults;
  return [{ code: 'algorithm_weak', facts: weaknessFacts(weak) }, ...faults];
}

type TokenQuestion = Parameters<typeof checkToken>[2];

/**
 * The timestamps that stand in the signature itself. One that is wrong makes the signature wrong: it claims to prove. One that only proves nothing
 * here (its authority is unknown, revoked, on hold or expired, or something in it is weak) does not count beside one that proves the time
 * (EN 319 102-1, 5.5.4).
 */
function tokensOf(cms: Cms, question: TokenQuestion) {
  const all = timestampTokensOf(cms);
  const faults: Fault[] = all.length > VERIFY_LIMITS.timestamps ? [{ code: 'timestamp_malformed' }] : [];
  const checked = all.slice(0, VERIFY_LIMITS.timestamps).flatMap((bytes) => {
    const token = readToken(bytes);
    if (!token) faults.push({ code: 'timestamp_malformed' });
    return token ? [{ token, ...checkToken(token, (hash) => digestOf(hash, cms.signature), question) }] : [];
  });
  const isProven = checked.some((one) => one.faults.length === 0);
  const counted = checked.filter((one) => {
    const { verdict } = judgementOf(one.faults);
    return verdict === 'valid' || verdict === 'invalid' || !isProven;
  });
  for (const { authority, faults: own } of counted)
    for (const { code, facts } of own)
      faults.push({ code: 'timestamp_invalid', facts: { name: authority?.name ?? '', ...facts, why: code } });
  return {
    proofs: counted.flatMap(({ token, authority, faults: own }): Proof[] =>
      own.length === 0 ? [{ time: token.time, by: authority?.name ?? '' }] : [],
    ),
    chains: counted.flatMap(({ token, chain }): OwnChain[] =>
      chain ? [{ chain, own: token.cms.certificates }] : [],
    ),
    faults,
  };
}

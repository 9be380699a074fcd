// Verifies every signature and timestamp of a PDF: what each covers, who made it, when, whether that is proven, and what changed afterwards. It asks no network,
// and calls nothing valid that it does not understand.
import { VERIFY_LIMITS } from '../limits.ts';
import { type PdfFile, type PdfView, readPdf } from '../read/read-pdf.ts';
import type { Unreadable } from '../read/sections.ts';
import { type AlgorithmPolicy, ETSI_POLICY, weakHash, weaknessDetails } from '../sign/algorithm-policy.ts';
import { digestOf, type HashName } from '../sign/algorithms.ts';
import type { Certificate } from '../sign/certificate.ts';
import {
  type Cms,
  checkBareRsa,
  checkCms,
  findSigner,
  hasSigningCertificate,
  timestampTokensOf,
} from '../sign/cms.ts';
import { OID } from '../sign/der.ts';
import type { Revocations } from '../sign/revocation-status.ts';
import { checksOfFile } from '../sign/signed-by.ts';
import { readToken } from '../sign/timestamp.ts';
import { type Chain, type CheckedToken, chainOf, checkToken, type Trust } from './chain.ts';
import type { Change, Permission, StepBudget } from './changes/diff-context.ts';
import { signatureFieldsOf } from './fields.ts';
import { type Fault, judgementOf } from './findings.ts';
import { type ChainWithCertificates, type Level, levelOf, type NotHigher } from './level.ts';
import { changesSince } from './rules/policy.ts';
import type { Irregularity } from './rules/rule.ts';
import { findSignedIrregularity } from './rules/save-syntax.ts';
import {
  type Claims,
  type Coverage,
  endOf,
  locksOf,
  type ParsedSignature,
  parseSignature,
} from './signature.ts';
import { joinedData, pooledData, type StoredValidationData, validationDataOf } from './validation-data.ts';

type Question = {
  trust: Trust;
  /** It is the time of verifying, in milliseconds since 1970. */
  now: number;
  /** Every signature must reach this level. */
  level?: Level | undefined;
  password?: string | undefined;
  /** Algorithms and keys are judged by the dates of the standard where this is absent. */
  policy?: AlgorithmPolicy | undefined;
};

export type SignatureReport = {
  kind: 'signature' | 'timestamp';
  field: string;
  object: number | undefined;
  claims: Claims;
  /** The bytes around the gap were signed, up to the end, which is that of a save (counted from 0). */
  covers:
    | { gap: { start: number; end: number }; end: number; save: number; isWholeFile: boolean }
    | undefined;
  signer: Certificate | undefined;
  algorithm: string | undefined;
  chain: Chain | undefined;
  /** It existed at this time, as a clock says; undefined where nothing proves a time. */
  proven: { time: number; by: string } | undefined;
  certification: Permission | undefined;
  level: Level | undefined;
  notHigher: NotHigher[];
  changes: Change[];
  laterSaves: LaterSave[];
  faults: Fault[];
};

export type PdfReport = {
  ok: true;
  file: PdfFile;
  /** Signatures are in the order in which they were made. */
  signatures: SignatureReport[];
  /** Readers may have shown this differently from the beginning, in the part that the first signature covers. */
  irregularity: Irregularity | undefined;
  emptyFields: string[];
  /** Only some of very many fields or signatures are read. */
  isCut: boolean;
};

const TOO_COMPLEX: Unreadable = { ok: false, reason: 'too_complex', at: 0 };

/** @param input a file, or the result of reading it */
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
  const parsed = signed.slice(0, VERIFY_LIMITS.signatures).map((field) => parseSignature(file, field));
  const inOrder = parsed.sort((first, second) => endOf(first) - endOf(second));
  const dataOf = oncePerView(validationDataOf);
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
  const reports = inOrder.map((signature) =>
    reportOn(signature, { file, inOrder, data, pool, dataOf, clock, question, budget }),
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

/** Reads each version once: later signatures ask for the same ones. */
function oncePerView<T>(read: (view: PdfView) => T): (view: PdfView) => T {
  const results = new Map<PdfView, T>();
  return (view) => {
    const result = results.get(view) ?? read(view);
    results.set(view, result);
    return result;
  };
}

// ── time ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Document timestamps prove times at which bytes up to a place existed. */
type Clock = {
  checked: Map<ParsedSignature, CheckedToken>;
  /** Returns the earliest proof of what ends at `end`. */
  provenFor(end: number): Proof | undefined;
  /** Returns the latest time that is proven of what ends before `end`: what covers it was made later. */
  provenBefore(end: number): number | undefined;
};

/** Something existed before this time, as the clock of an authority says. */
type Proof = { time: number; by: string; chain?: ChainWithCertificates | undefined };

/** Checks the last timestamp as of today, and each before it as of the time that the next one proves. */
function clockOf(
  inOrder: ParsedSignature[],
  data: StoredValidationData,
  revocations: Revocations,
  { trust, now }: Question,
): Clock {
  const checked = new Map<ParsedSignature, CheckedToken>();
  const proofs: (Proof & { end: number })[] = [];
  const provenFor = (end: number) =>
    proofs.filter((proof) => proof.end > end).sort((first, second) => first.time - second.time)[0];
  for (const signature of [...inOrder].reverse()) {
    const { token, coverage, faults } = signature;
    if (!token || !coverage) continue;
    const result = checkToken(token, coverage.digest, {
      others: data.certificates,
      trust,
      revocations,
      time: provenFor(coverage.end)?.time ?? now,
      latest: now,
    });
    checked.set(signature, result);
    if (result.faults.length > 0 || faults.length > 0) continue;
    const chain = result.chain && { chain: result.chain, certificates: token.cms.certificates };
    proofs.push({ end: coverage.end, time: token.time, by: result.authority?.name ?? '', chain });
  }
  const provenBefore = (end: number) =>
    proofs.filter((proof) => proof.end < end).sort((first, second) => second.time - first.time)[0]?.time;
  return { checked, provenFor, provenBefore };
}

// ── each signature ──────────────────────────────────────────────────────────────────────────────────────────────

type VerifyContext = {
  file: PdfFile;
  inOrder: ParsedSignature[];
  data: StoredValidationData;
  /** The pool has all that the file says of revocation. */
  pool: Revocations;
  clock: Clock;
  question: Question;
  budget: StepBudget;
  /** Reads what the document had for checking certificates after a save. */
  dataOf(view: PdfView): StoredValidationData;
};

function reportOn(signature: ParsedSignature, context: VerifyContext): SignatureReport {
  const { field, claims, coverage, certification } = signature;
  const { file, inOrder, budget } = context;
  const judged = coverage
    ? changesSince(
        file,
        coverage.view,
        coverage.end,
        {
          permission: permissionAfter(signature, inOrder),
          isLocked: locksOf(coverage.view, field.dict, field.field.dict),
        },
        budget,
      )
    : { changes: [], faults: [] };
  const result = signature.token
    ? validateTimestamp(signature, context)
    : validateSignature(signature, context);
  return {
    kind: claims.format === 'timestamp' ? 'timestamp' : 'signature',
    field: field.name,
    object: field.number,
    claims,
    covers: coverage && {
      gap: coverage.gap,
      end: coverage.end,
      save: coverage.view.index,
      isWholeFile: coverage.end === file.bytes.length,
    },
    certification,
    changes: judged.changes,
    laterSaves: coverage ? laterSavesOf(file, coverage.view.index, judged.changes, inOrder) : [],
    ...result,
    faults: [...signature.faults, ...result.faults, ...judged.faults],
  };
}

const STRICTEST: readonly Permission[] = ['nothing', 'form', 'notes'];

/** The strictest permission of this signature and those before it counts. */
function permissionAfter(signature: ParsedSignature, inOrder: ParsedSignature[]): Permission {
  const until = inOrder.slice(0, inOrder.indexOf(signature) + 1);
  const isStated = (permission: Permission) =>
    until.some(({ certification }) => certification === permission);
  return STRICTEST.find(isStated) ?? 'approval';
}

type ValidationResult = Pick<
  SignatureReport,
  'signer' | 'algorithm' | 'chain' | 'proven' | 'level' | 'notHigher' | 'faults'
>;

const NOT_VALIDATED: ValidationResult = {
  signer: undefined,
  algorithm: undefined,
  chain: undefined,
  proven: undefined,
  level: undefined,
  notHigher: [],
  faults: [],
};

function validateTimestamp(signature: ParsedSignature, { clock }: VerifyContext): ValidationResult {
  const checked = clock.checked.get(signature);
  const { token } = signature;
  const isProven = checked?.faults.length === 0 && signature.faults.length === 0;
  return {
    ...NOT_VALIDATED,
    signer: checked?.authority,
    algorithm: token?.cms.algorithm?.name,
    chain: checked?.chain,
    proven: isProven && token ? { time: token.time, by: checked.authority?.name ?? '' } : undefined,
    faults: checked?.faults ?? [],
  };
}

function validateSignature(signature: ParsedSignature, context: VerifyContext): ValidationResult {
  const { cms, coverage, claims } = signature;
  const { data, pool: revocations, clock, question } = context;
  const { checks, policy } = revocations;
  if (!cms || !coverage) return NOT_VALIDATED;
  const others = [...cms.certificates, ...data.certificates];
  const signer = findSigner(cms, others);
  const chainQuestion = { others, trust: question.trust, revocations, latest: question.now };
  const existed = clock.provenFor(coverage.end);
  const tokens = tokensOf(cms, { ...chainQuestion, time: existed?.time ?? question.now });
  const proofs = [...tokens.proofs, ...(existed ? [existed] : [])].sort(
    (first, second) => first.time - second.time,
  );
  const proven = proofs[0];
  const signingBounds = { before: proven?.time, after: clock.provenBefore(coverage.end) };
  const time = proven?.time ?? question.now;
  const chain =
    signer && chainOf({ ...chainQuestion, certificate: signer, purpose: 'sign', time, signingBounds });
  const faults = [
    ...valueFaults(cms, coverage, claims, { signer, others, time, checks, policy }),
    ...(chain?.faults ?? []),
    ...tokens.faults,
  ];
  // Which certificate signed has to be signed along in this format (EN 319 142-1, 6.3).
  if (claims.format === 'pades' && !hasSigningCertificate(cms)) faults.push({ code: 'attributes_missing' });
  const all = [...signature.faults, ...faults];
  const reached = levelOf({
    claims,
    cms,
    isSound: judgementOf(all).verdict !== 'invalid',
    isTrusted: all.length === 0,
    isTimed: proven !== undefined,
    chains: [
      chain && { chain, certificates: cms.certificates },
      ...(proven?.chain ? [proven.chain] : []),
      ...tokens.chains,
    ],
    data,
    later: context.inOrder.flatMap((other) => {
      const isLater = endOf(other) > coverage.end && clock.checked.get(other)?.faults.length === 0;
      const { coverage: covered, token } = other;
      return isLater && covered && token ? [{ ...context.dataOf(covered.view), time: token.time }] : [];
    }),
    bounds: { checks, policy },
    time,
    now: question.now,
  });
  if (question.level && !reached.isAtLeast(question.level))
    faults.push({ code: 'level_too_low', details: { level: reached.level ?? '', wanted: question.level } });
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

/** Checks the value of a signature against the document. */
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
  return [{ code: 'algorithm_weak', details: weaknessDetails(weak) }, ...faults];
}

type TokenQuestion = Parameters<typeof checkToken>[2];

/**
 * Checks the timestamps that stand in the signature itself. One that is wrong makes the signature wrong: it claims to prove. One that only proves nothing
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
  const isProven = checked.some((result) => result.faults.length === 0);
  const counted = checked.filter((result) => {
    const { verdict } = judgementOf(result.faults);
    return verdict === 'valid' || verdict === 'invalid' || !isProven;
  });
  for (const { authority, faults: ofToken } of counted)
    for (const { code, details } of ofToken)
      faults.push({
        code: 'timestamp_invalid',
        details: { name: authority?.name ?? '', ...details, why: code },
      });
  return {
    proofs: counted.flatMap(({ token, authority, faults: ofToken }): Proof[] =>
      ofToken.length === 0 ? [{ time: token.time, by: authority?.name ?? '' }] : [],
    ),
    chains: counted.flatMap(({ token, chain }): ChainWithCertificates[] =>
      chain ? [{ chain, certificates: token.cms.certificates }] : [],
    ),
    faults,
  };
}

// ── later saves ─────────────────────────────────────────────────────────────────────────────────────────────────

export type LaterSave = {
  /** The first version of the file has the number 1. */
  number: number;
  /** The signature or timestamp of this field was made with it; undefined where none was. */
  field: string | undefined;
  /** The signature has this number: fields may have the same name. */
  object: number | undefined;
  changes: Change[];
};

/**
 * Lists the saves after a signature, the signature or timestamp that was made with each of them, and what each changed.
 * @param signed the index of the last section that is signed
 * @param changes differences between that version and the file as it is now
 */
function laterSavesOf(
  { sections }: PdfFile,
  signed: number,
  changes: readonly Change[],
  signatures: readonly ParsedSignature[],
): LaterSave[] {
  // A linearized file has two sections for its first version: the second one stands before the first.
  const isLinearized = sections.length > 1 && sections[1]!.start < sections[0]!.start;
  return sections.slice(signed + 1).map(({ places }, later) => {
    const index = signed + 1 + later;
    const field = signatures.find(({ coverage }) => coverage?.view.index === index)?.field;
    return {
      number: isLinearized ? index : index + 1,
      field: field?.name,
      object: field?.number,
      changes: changes.filter(({ objects }) => objects.some((number) => places.has(number))),
    };
  });
}

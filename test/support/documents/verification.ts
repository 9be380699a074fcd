// Verifies a PDF and returns what tests compare: the level and the names of the faults.
import { VERIFY_LIMITS } from '../../../src/pdf/limits.ts';
import { readPdf } from '../../../src/pdf/read/read-pdf.ts';
import { changesSince } from '../../../src/pdf/verify/rules/policy.ts';
import type { AlgorithmPolicy, Fault, Level, SignatureReport } from '../../../src/pdf/verify/verify.ts';
import { judgementOf, readCertificates, verifyPdf } from '../../../src/pdf/verify/verify.ts';
import { authority, crl, NOW, type Party } from '../certificates/pki.ts';
import {
  basePdf,
  certifying,
  type Objects,
  type SignOptions,
  signPdf,
  updated,
  withStore,
  withTimestamp,
} from './signed-pdf.ts';

export const PKI = authority();

export const trusting = (...parties: Party[]) => ({
  anchors: parties.flatMap(({ der }) =>
    readCertificates(der).map((certificate) => ({ certificate, why: 'the test' })),
  ),
});

export type VerifyOptions = {
  now?: number;
  trust?: readonly Party[];
  level?: Level;
  policy?: AlgorithmPolicy | undefined;
};

export function verifyBytes(
  bytes: Uint8Array,
  { now = NOW, trust = [PKI.root], level, policy }: VerifyOptions = {},
): SignatureReport[] {
  const report = verifyPdf(bytes, { trust: trusting(...trust), now, level, policy });
  if (!report.ok) throw new Error(`${report.reason} at ${report.at}`);
  return report.signatures;
}

/** Returns the codes of all faults, each once. */
export const faultsOf = (bytes: Uint8Array, looking?: VerifyOptions): string[] => [
  ...new Set(verifyBytes(bytes, looking).flatMap(({ faults }) => faults.map(coded))),
];

/** The verdict on a file and its reason: `invalid HASH_FAILURE`. */
export function verdictOf(bytes: Uint8Array, options?: VerifyOptions): string {
  const { verdict, subIndication } = judgementOf(verifyBytes(bytes, options).flatMap(({ faults }) => faults));
  return subIndication ? `${verdict} ${subIndication}` : verdict;
}

const coded = ({ code, details }: Fault) =>
  code === 'timestamp_invalid' ? `${code}: ${details?.why}` : code;

/** A signed file with all validation data and timestamps. */
export function sealedPdf(): Buffer {
  const { signer, tsa, root, issuing } = PKI;
  const signed = signPdf(basePdf(), { party: signer, tsa });
  const store = { certificates: [...signer.chain, ...tsa.chain], crls: [crl(root), crl(issuing)] };
  return withTimestamp(withStore(signed, store), { tsa });
}

/** The trailer of later saves of `basePdf`. */
export const WITH_INFO = '/Root 1 0 R/Info 11 0 R';

/** A file that PKI's signer signed: certified, unless the options say otherwise. */
export const signed = (options: Partial<SignOptions> = {}): Buffer =>
  signPdf(basePdf(), { party: PKI.signer, ...options });
export const certified = (level: number): Buffer => signed({ entries: certifying(level) });
export const approved = (): Buffer => signed({ entries: '' });

/** The faults of a file with a later save that writes these objects. */
export const behind = (objects: Objects, file = certified(2), trailer = WITH_INFO): string[] =>
  faultsOf(updated(file, objects, trailer));

/** The steps that it takes to judge the last save of a file, behind a signature over what comes before it. */
export function stepsBehind(signed: Buffer, file: Buffer): number {
  const read = readPdf(file);
  if (!read.ok) throw new Error(read.reason);
  const budget = { remaining: VERIFY_LIMITS.changeSteps };
  const before = read.view(read.sections.length - 2);
  changesSince(read, before, signed.length, { permission: 'approval', isLocked: () => false }, budget);
  return VERIFY_LIMITS.changeSteps - budget.remaining;
}

// Seals a document and verifies the result with the code of `esign verify`, before anything names it: a transaction is never
// completed with a seal that our own verification calls invalid. The sealing certificates are trusted, at the requested level,
// and no algorithm is too weak: a signature is never lost because the days of a key are over, of which doctor warns.
// The values on the pages are not compared again, because that would mean drawing every page.
import { epochMsOf } from '../../common/instant.ts';
import { type Sealing, sealPdf } from '../../pdf/sign/seal.ts';
import { signerOfToken } from '../../pdf/sign/timestamp.ts';
import {
  type AlgorithmPolicy,
  type Certificate,
  ENDLESS_POLICY,
  evidenceOf,
  type Fault,
  type FaultGroup,
  isIssuedBy,
  isOfGroup,
  readCertificates,
  readToken,
  unlimitedChecks,
  verifyPdf,
} from '../../pdf/verify/verify.ts';

/** The document was sealed, and the seal is not valid. */
export class SealNotValid extends Error {
  override readonly name = 'SealNotValid';
  /** It names each fault with its details, for people who look for the cause. */
  readonly problem: string;
  /** The key, a certificate or a timestamp is at fault. Otherwise it is the document. */
  readonly isOfSeal: boolean;

  constructor(faults: readonly Fault[]) {
    const problem = [...new Set(faults.map(describeFault))].slice(0, MOST_FAULTS).join('; ');
    super(`The seal that was made is not valid: ${problem}.`);
    this.problem = problem;
    this.isOfSeal = faults.some((fault) => OF_SEAL.some((group) => isOfGroup(fault, group)));
  }
}

const MOST_FAULTS = 3;

function describeFault({ code, details = {}, object }: Fault): string {
  const properties = { ...details, ...(object !== undefined && { object: String(object) }) };
  const texts = Object.entries(properties).map(([name, value]) => `${name} ${value}`);
  return texts.length === 0 ? code : `${code} (${texts.join(', ')})`;
}

/** These faults are about the seal, as opposed to the document that is sealed. */
const OF_SEAL: readonly FaultGroup[] = ['key', 'signer', 'timestamps', 'level'];

/**
 * @returns the sealed document, or what is not valid about it
 * @throws SealingUnavailable when it cannot be sealed
 */
export async function sealVerified(
  pdf: Uint8Array,
  fieldName: string,
  sealing: Sealing,
  policy = ENDLESS_POLICY,
): Promise<Uint8Array | SealNotValid> {
  const tokens: Uint8Array[] = [];
  const { timestamps } = sealing;
  const recorded = timestamps && {
    ...timestamps,
    async timestamp(imprint: Uint8Array) {
      const token = await timestamps.timestamp(imprint);
      tokens.push(token);
      return token;
    },
  };
  const sealed = await sealPdf(pdf, fieldName, { ...sealing, ...(recorded && { timestamps: recorded }) });
  const faults = faultsOfSeal(sealed, fieldName, sealing, tokens, policy);
  return faults.length > 0 ? new SealNotValid(faults) : sealed;
}

/** Finds what is not valid about a sealed document; `tokens` are the timestamps that were made for it. */
export function faultsOfSeal(
  sealed: Uint8Array,
  fieldName: string,
  sealing: Sealing,
  tokens: readonly Uint8Array[],
  policy: AlgorithmPolicy = ENDLESS_POLICY,
): Fault[] {
  const anchors = anchorsOf(sealing, tokens).map((certificate) => ({ certificate, why: 'it seals' }));
  // An authority whose clock is ahead of ours states a time that has not come here, of which doctor warns.
  const times = tokens.flatMap((token) => readToken(Buffer.from(token))?.time ?? []);
  const now = Math.max(epochMsOf(sealing.clock()), ...times);
  const report = verifyPdf(sealed, { trust: { anchors }, now, level: sealing.level, policy });
  if (!report.ok) return [{ code: 'signed_part_unreadable', details: { reason: report.reason } }];
  const seal = report.signatures.find(({ field, kind }) => kind === 'signature' && field === fieldName);
  if (!seal) return [{ code: 'contents_missing', details: { field: fieldName } }];
  return [
    ...report.signatures.flatMap(({ faults }) => faults),
    ...(evidenceOf(report.file, seal.covers)?.faults ?? []),
  ];
}

/** Finds the certificates of the seal and of its timestamps that no other one at hand has issued. */
function anchorsOf({ signer, timestamps }: Sealing, tokens: readonly Uint8Array[]): Certificate[] {
  const ofTokens = tokens.flatMap((token) => signerOfToken(token)?.certificates ?? []).map(({ der }) => der);
  const all = [...signer.certificates, ...(timestamps?.certificates ?? []), ...ofTokens].flatMap(
    readCertificates,
    readToken,
  );
  const checks = unlimitedChecks();
  return all.filter(
    (certificate) =>
      !all.some((issuer) => issuer.sha256 !== certificate.sha256 && isIssuedBy(certificate, issuer, checks)),
  );
}

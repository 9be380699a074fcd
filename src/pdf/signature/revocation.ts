// Whether all that is needed to check a seal later is there: the chains up to their roots, and for each certificate a list
// of its issuer that does not name it. It sends no requests.
import {
  type CertificateFacts,
  chainOf,
  isListOf,
  isSelfIssued,
  type RevocationListFacts,
  readRevocationList,
} from './certificate-facts.ts';
import { partsOf, readNode } from './der.ts';
import { SealingUnavailable } from './sealing-unavailable.ts';

/** @throws SealingUnavailable when the chain does not reach a root */
export function wholeChain(
  first: CertificateFacts,
  others: readonly CertificateFacts[],
  what: string,
): CertificateFacts[] {
  const chain = chainOf(first, others);
  const last = chain.at(-1)!;
  if (isSelfIssued(last)) return chain;
  throw new SealingUnavailable(
    'certificate',
    `The certificate chain of ${what} is incomplete: the certificate of the issuer of "${commonNameIn(last.subject)}" is missing.`,
    'Add the certificates of all issuers, up to the root certificate.',
  );
}

/**
 * The lists that are needed, out of more.
 * @param at instant in ISO 8601
 * @throws SealingUnavailable when one is missing, out of date or names a certificate
 */
export function listsFor(
  chain: readonly CertificateFacts[],
  lists: readonly Uint8Array[],
  at: string,
): Uint8Array[] {
  const known = lists.flatMap((der) => readRevocationList(der) ?? []);
  return chain.slice(0, -1).map((certificate, index) => {
    const list = currentListOf(chain[index + 1]!, known, at);
    const name = commonNameIn(certificate.subject);
    if (!list)
      throw new SealingUnavailable(
        'revocation',
        `The revocation status of the certificate "${name}" is unknown: there is no current revocation list from its issuer.`,
        'Provide the list as a file, or seal at level T.',
      );
    if (list.revoked.some((serial) => serial.equals(certificate.serial)))
      throw new SealingUnavailable(
        'certificate',
        `The certificate "${name}" was revoked.`,
        'Use another certificate.',
      );
    return list.der;
  });
}

function currentListOf(
  issuer: CertificateFacts,
  lists: readonly RevocationListFacts[],
  at: string,
): RevocationListFacts | undefined {
  const second = `${at.slice(0, 19)}Z`;
  return lists.find(
    (list) =>
      list.thisUpdate <= second &&
      (list.nextUpdate === undefined || list.nextUpdate > second) &&
      isListOf(list, issuer),
  );
}

/** The last part of a name, for messages. */
export function commonNameIn(name: Uint8Array): string {
  const last = partsOf(readNode(name)).at(-1);
  const [, value] = partsOf(partsOf(last)[0]);
  const text = value?.tag === BMP_STRING ? utf16(value.content) : value?.content.toString('utf8');
  return (text ?? 'unknown').replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '').slice(0, 100);
}

const BMP_STRING = 0x1e;
const utf16 = (bytes: Buffer): string =>
  Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le');

// Finds what is needed to check a seal later: the chains up to their roots, and for each certificate a list of its issuer that does not name it. It sends
// no requests.

import { ENDLESS_POLICY } from './algorithm-policy.ts';
import type { Certificate } from './certificate.ts';
import { type Crl, readCrl } from './revocation-data.ts';
import { isListFor, statusesOf } from './revocation-status.ts';
import { SealingUnavailable } from './sealing-unavailable.ts';
import { isIssuedBy, unlimitedChecks } from './signed-by.ts';

/**
 * Lists the certificate and its issuers, up to one that issued itself.
 * @param others may have any order, and more than the chain needs
 * @param owner whose chain it is, for a message
 * @throws SealingUnavailable when the chain does not reach a root
 */
export function wholeChain(first: Certificate, others: readonly Certificate[], owner: string): Certificate[] {
  const chain = [first];
  const checks = unlimitedChecks();
  for (let last = first; !last.issuer.equals(last.subject); ) {
    const below = last;
    const issuer = others.find(
      (candidate) => !chain.includes(candidate) && isIssuedBy(below, candidate, checks),
    );
    if (!issuer)
      throw new SealingUnavailable(
        'certificate',
        `The certificate chain of ${owner} is incomplete: the certificate of the issuer of "${plainNameOf(last)}" is missing.`,
        'Add the certificates of all issuers, up to the root certificate.',
      );
    chain.push(issuer);
    last = issuer;
  }
  return chain;
}

/**
 * Picks the lists that are needed, out of more.
 * @param at milliseconds since 1970
 * @throws SealingUnavailable when one is missing, out of date or names a certificate
 */
export function listsFor(
  chain: readonly Certificate[],
  lists: readonly Uint8Array[],
  at: number,
): Uint8Array[] {
  const crls = lists.flatMap((der) => readCrl(Buffer.from(der)) ?? []);
  const checks = unlimitedChecks();
  const revocations = { crls, ocsps: [], certificates: [], checks, policy: ENDLESS_POLICY };
  return statusesOf(chain, revocations, { time: at, latest: at }).map((status, index) => {
    const [certificate, issuer] = [chain[index]!, chain[index + 1]!];
    const name = plainNameOf(certificate);
    if (status.is === 'revoked')
      throw new SealingUnavailable(
        'certificate',
        `The certificate "${name}" was revoked.`,
        'Use another certificate.',
      );
    const list = crls.find((crl) => isCurrent(crl, at) && isListFor(crl, certificate, issuer, revocations));
    if (!list)
      throw new SealingUnavailable(
        'revocation',
        `The revocation status of the certificate "${name}" is unknown: there is no current revocation list from its issuer.`,
        'Provide the list as a file, or seal at level T.',
      );
    return list.der;
  });
}

const isCurrent = ({ thisUpdate, nextUpdate }: Crl, at: number): boolean =>
  thisUpdate <= at && (nextUpdate === undefined || nextUpdate > at);

const NAME_CHARACTERS = 100;

/** Returns a name for messages, without characters that a terminal or a log would not show as they are. */
export const plainNameOf = ({ name }: Certificate): string =>
  name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '').slice(0, NAME_CHARACTERS);

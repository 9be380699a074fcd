// Finds which level of PAdES (EN 319 142-1) a signature reaches, and what keeps it from the next one. A signature that is wrong has no level, and one that is
// not trusted none above T.

import { VERIFY_LIMITS } from '../limits.ts';
import type { Certificate } from '../sign/certificate.ts';
import { type Cms, hasSigningCertificate, hasSigningTime } from '../sign/cms.ts';
import { type Revocations, statusesOf } from '../sign/revocation-status.ts';
import type { Chain } from './chain.ts';
import type { Claims } from './signature.ts';
import { revocationsOf, type StoredValidationData } from './validation-data.ts';

export const LEVELS = ['B', 'T', 'LT', 'LTA'] as const;
export type Level = (typeof LEVELS)[number];

/** A signature does not reach the next level for one of these reasons. */
export type NotHigher =
  | 'not_sound'
  | 'not_trusted'
  | 'not_pades'
  | 'signing_time'
  | 'signing_certificate'
  | 'not_der'
  | 'no_time'
  | 'certificate_entry'
  | 'no_timestamp'
  | 'no_validation_data'
  | 'revocation_unknown'
  | 'no_document_timestamp';

/** The certificates stand beside the signature that the chain is of. */
export type ChainWithCertificates = { chain: Chain; certificates: readonly Certificate[] };

type LevelQuestion = {
  claims: Claims;
  cms: Cms;
  /** Tells whether nothing proves it wrong. */
  isSound: boolean;
  /** Tells whether nothing is doubtful about it either. */
  isTrusted: boolean;
  isTimed: boolean;
  /** The chains are those of the signer and of the timestamps that prove when, each with the certificates that came with it. */
  chains: readonly (ChainWithCertificates | undefined)[];
  /** The document has this data now, and had that of `later` when each later document timestamp was made. */
  data: StoredValidationData;
  later: readonly (StoredValidationData & { time: number })[];
  bounds: Pick<Revocations, 'checks' | 'policy'>;
  time: number;
  now: number;
};

export type LevelReached = {
  level: Level | undefined;
  notHigher: NotHigher[];
  isAtLeast(level: Level): boolean;
};

export function levelOf(question: LevelQuestion): LevelReached {
  const { level, notHigher } = reached(question);
  const isAtLeast = (wanted: Level) => level !== undefined && LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
  return { level, notHigher, isAtLeast };
}

function reached(question: LevelQuestion): { level: Level | undefined; notHigher: NotHigher[] } {
  const { isSound, isTrusted, isTimed, data, later } = question;
  if (!isSound) return { level: undefined, notHigher: ['not_sound'] };
  const missing = missingForBaseline(question);
  if (missing.length > 0) return { level: undefined, notHigher: missing };
  if (!isTimed) return { level: 'B', notHigher: [isTrusted ? 'no_timestamp' : 'not_trusted'] };
  if (!isTrusted) return { level: 'T', notHigher: ['not_trusted'] };
  const lacking = lackingForLongTerm(question, data);
  if (lacking) return { level: 'T', notHigher: [lacking] };
  if (!later.some((stored) => isCompleteFor(question, stored)))
    return { level: 'LT', notHigher: ['no_document_timestamp'] };
  return { level: 'LTA', notHigher: [] };
}

function missingForBaseline({ claims, cms }: LevelQuestion): NotHigher[] {
  if (claims.format !== 'pades') return ['not_pades'];
  const missing: NotHigher[] = [];
  if (hasSigningTime(cms)) missing.push('signing_time');
  if (!hasSigningCertificate(cms)) missing.push('signing_certificate');
  if (!cms.isDer) missing.push('not_der');
  if (claims.time === undefined) missing.push('no_time');
  if (claims.hasCertificate) missing.push('certificate_entry');
  return missing;
}

/** Tells whether everything was there when a document timestamp was made. Data that is younger than it contradicts it. */
const isCompleteFor = (question: LevelQuestion, data: StoredValidationData & { time: number }): boolean =>
  areCertificatesIn(question, data) &&
  lackingForLongTerm({ ...question, now: data.time + VERIFY_LIMITS.clockDifferenceMs }, data) === undefined;

/** Tells whether the certificates between the signer and the anchor are in the signature, or were stored. */
function areCertificatesIn({ chains }: LevelQuestion, { certificates }: StoredValidationData): boolean {
  return chains.every((ofChain) => {
    const there = new Set([...(ofChain?.certificates ?? []), ...certificates].map(({ sha256 }) => sha256));
    const anchor = ofChain?.chain.anchor?.certificate;
    return ofChain?.chain.certificates.every(
      (certificate) => certificate === anchor || there.has(certificate.sha256),
    );
  });
}

/** Everything it takes to check the certificates later must be in the document. */
function lackingForLongTerm(question: LevelQuestion, data: StoredValidationData): NotHigher | undefined {
  const { chains, cms, bounds, time, now } = question;
  const ways = chains.flatMap((ofChain) => (ofChain ? [ofChain.chain.certificates] : []));
  if (ways.every(({ length }) => length < 2)) return undefined;
  if (!data.isThere) return 'no_validation_data';
  const revocations = revocationsOf({ ...data, ...bounds }, cms);
  const isKnown = ways.every((certificates) =>
    statusesOf(certificates, revocations, { time, latest: now }).every(({ is }) => is === 'good'),
  );
  return isKnown ? undefined : 'revocation_unknown';
}

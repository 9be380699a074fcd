// Which level of PAdES (EN 319 142-1) a signature reaches, and what keeps it from the next one. It must never name a level
// of a signature that is not sound.
import type { Certificate } from './certificate.ts';
import type { Chain } from './chain.ts';
import { type Cms, hasSigningCertificate, hasSigningTime } from './cms.ts';
import type { Claims } from './dictionary.ts';
import { statusOf } from './revocation.ts';
import { revocationsOf, type StoredValidationData } from './validation-data.ts';

export const LEVELS = ['B', 'T', 'LT', 'LTA'] as const;
export type Level = (typeof LEVELS)[number];

/** Why a signature does not reach the next level. */
export type NotHigher =
  | 'not_sound'
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

type LevelQuestion = {
  claims: Claims;
  cms: Cms;
  isSound: boolean;
  isTimed: boolean;
  /** Of the signer and of the timestamps in the signature. */
  chains: readonly (Chain | undefined)[];
  /** What the document has now, and what it had when each later document timestamp was made. */
  data: StoredValidationData;
  later: readonly StoredValidationData[];
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
  const { isSound, isTimed, data, later } = question;
  if (!isSound) return { level: undefined, notHigher: ['not_sound'] };
  const missing = missingForBaseline(question);
  if (missing.length > 0) return { level: undefined, notHigher: missing };
  if (!isTimed) return { level: 'B', notHigher: ['no_timestamp'] };
  const lacking = lackingForLongTerm(question, data);
  if (lacking) return { level: 'T', notHigher: [lacking] };
  if (!later.some((one) => lackingForLongTerm(question, one) === undefined))
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

/** Everything it takes to check the certificates later must be in the document. */
function lackingForLongTerm(question: LevelQuestion, data: StoredValidationData): NotHigher | undefined {
  const { chains, cms, time, now } = question;
  const below = chains.flatMap((chain) => (chain ? pairsOf(chain) : []));
  if (below.length === 0) return undefined;
  if (!data.isThere) return 'no_validation_data';
  const revocations = revocationsOf(data, cms);
  const isKnown = below.every(
    ([certificate, issuer]) => statusOf(certificate, issuer, revocations, time, now).is === 'good',
  );
  return isKnown ? undefined : 'revocation_unknown';
}

/** Each certificate below the anchor, and who issued it. */
const pairsOf = ({ certificates }: Chain): [Certificate, Certificate][] =>
  certificates.slice(0, -1).map((certificate, index) => [certificate, certificates[index + 1]!]);

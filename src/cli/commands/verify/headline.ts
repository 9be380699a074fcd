// The first line about a signed file: what a person wants to know, in one or two sentences, and what to do where it is not proven.
// It must never say more than the three answers do, and every name in it comes from a file of anybody.
import { type Fault, isOfGroup, type SignatureReport } from '../../../pdf/signature/verify.ts';
import { formatLocalDay } from '../../terminal/local-time.ts';
import { unchangedIn } from './answers.ts';
import { instantOrNull } from './as-json.ts';
import { nameInLine } from './name-in-line.ts';
import { changeInWords, faultSentenceOf } from './sentences.ts';
import { decisionOn, type VerifiedFile } from './verified-file.ts';

/** Undefined for a file of which nothing can be said but its verdict. */
export function headlineOf(file: VerifiedFile): string | undefined {
  if (file.verdict !== 'valid' && file.verdict !== 'indeterminate' && file.verdict !== 'invalid')
    return undefined;
  const signatures = file.signatures.filter(({ kind }) => kind === 'signature');
  const last = signatures.at(-1);
  if (!last) return undefined;
  const who = `signed by ${namesOf(signatures)} ${dayOf(last)}`;
  const { because } = decisionOn(file);
  const reason = because ? ` ${reasonOf(because)}` : '';
  switch (unchangedIn(file.signatures, file.faults)) {
    case 'yes':
      return file.verdict === 'invalid'
        ? `Unchanged since it was ${who}, but the signature is invalid.${reason}`
        : `Unchanged since it was ${who}.${additions(last)}${reason}`;
    case 'unknown':
      return `It is not certain whether this is unchanged since it was ${who}.${reason}`;
    case 'no':
      return because && (isOfGroup(because, 'changes') || because.code === 'digest_mismatch')
        ? `Changed after it was ${who}.${reason}`
        : `Not validly ${who}.${reason}`;
  }
}

const reasonOf = (fault: Fault): string =>
  fault.code === 'untrusted'
    ? 'The issuer of the certificate is not known to this machine.'
    : faultSentenceOf(fault);

const MOST_NAMES = 3;

function namesOf(signatures: readonly SignatureReport[]): string {
  const names = [
    ...new Set(signatures.map(({ signer }) => (signer ? nameInLine(signer.name) : 'an unknown signer'))),
  ];
  const shown = names.slice(0, MOST_NAMES);
  if (names.length > MOST_NAMES) return `${shown.join(', ')} and ${names.length - MOST_NAMES} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

function dayOf({ proven, claims }: SignatureReport): string {
  const instant = instantOrNull(proven?.time ?? claims.time);
  if (instant === null) return 'at an unknown time';
  return `on ${formatLocalDay(instant)}${proven ? '' : " (by the signer's own clock)"}`;
}

/** What everybody sees: certificates and timestamps are not part of it. */
const NOT_SEEN = new Set(['validation_data', 'timestamp', 'signature', 'signature_field']);

function additions({ changes }: SignatureReport): string {
  const seen = changes.filter(({ kind }) => !NOT_SEEN.has(kind)).map(changeInWords);
  return seen.length === 0 ? '' : ` Since then, ${[...new Set(seen)].join('; ')}.`;
}

/** How to get another verdict, where there is a way. */
export function wayOut(file: VerifiedFile): string | undefined {
  const { verdict, subIndication, because } = decisionOn(file);
  if (verdict !== 'indeterminate' || file.verdict !== 'indeterminate' || !because) return undefined;
  const code = because.code === 'timestamp_invalid' ? because.facts?.why : because.code;
  const accepting = `To accept this without a proof, add --accept indeterminate:${subIndication}.`;
  switch (code) {
    case 'untrusted':
      return `If you trust ${nameInLine(because.facts?.top ?? '')}, get its certificate from there and add --trust FILE${file.evidence ? ' ("esign serve ca" prints that of a team server)' : ''}. ${accepting}`;
    case 'certificate_expired':
    case 'certificate_not_yet_valid':
      return `To verify as of another time, add --at TIME. ${accepting}`;
    case 'level_too_low':
      return 'To verify without a required level, leave --level out.';
    default:
      return accepting;
  }
}

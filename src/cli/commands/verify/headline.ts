// The first line about a signed file: what a person wants to know, in one or two sentences, and what to do where it is not proven.
// It must never say more than the three answers do, and every name in it comes from a file of anybody.
import {
  effectOf,
  type Fault,
  type FaultCode,
  isOfGroup,
  judgementOf,
  type SignatureReport,
  SUB_INDICATIONS,
} from '../../../pdf/verify/verify.ts';
import { formatLocalDay } from '../../terminal/local-time.ts';
import { answersOf, unchangedIn } from './answers.ts';
import { instantOrNull } from './as-json.ts';
import { nameInLine, shortNameInLine } from './name-in-line.ts';
import { changeInWords, faultSentenceOf } from './sentences.ts';
import { allFaults, decisionOn, type VerifiedFile } from './verified-file.ts';

/** Undefined for a file of which nothing can be said but its verdict. */
export function headlineOf(file: VerifiedFile): string | undefined {
  if (file.verdict !== 'valid' && file.verdict !== 'indeterminate' && file.verdict !== 'invalid')
    return undefined;
  const signatures = file.signatures.filter(({ kind }) => kind === 'signature');
  const last = signatures.at(-1);
  if (!last) return undefined;
  const who = `signed by ${namesOf(signatures)} ${dayOf(last)}`;
  // Another original is nothing that is wrong with a signature.
  const otherOriginal = file.faults.find(({ code }) => ORIGINS.has(code));
  const { fault } = judgementOf(allFaults(file).filter((candidate) => candidate !== otherOriginal));
  const reason = fault ? ` ${reasonOf(fault, file)}` : '';
  const appended = file.remarks.some(({ code }) => code === 'bytes_appended')
    ? ' Bytes were appended afterwards that no reader shows.'
    : '';
  const origin = otherOriginal ? ` ${faultSentenceOf(otherOriginal)}` : '';
  switch (unchangedIn(file.signatures, file.faults)) {
    case 'yes':
      if (fault && effectOf(fault).verdict === 'invalid')
        return `Unchanged since it was ${who}, but ${signatures.length === 1 ? 'the' : 'a'} signature is invalid.${reason}${origin}`;
      return `Unchanged since it was ${who}${butOf(otherOriginal)}.${additions(last)}${appended}${reason}`;
    case 'unknown':
      return `It is not certain whether this is unchanged since it was ${who}.${reason}${origin}`;
    case 'no':
      if (fault && isChange(fault) && signatures.every(isMadeBySigner))
        return `Changed after it was ${who}.${reason}${origin}`;
      return `Not validly ${who}.${forgeryIn(file) ?? reason}${origin}`;
  }
}

const ORIGINS: ReadonlySet<FaultCode> = new Set(['original_differs', 'original_changed']);

function butOf(otherOriginal: Fault | undefined): string {
  if (!otherOriginal) return '';
  const file = nameInLine(otherOriginal.facts?.file ?? '');
  return otherOriginal.code === 'original_differs'
    ? `, but it was not made from ${file}`
    : `, but it was made from a changed version of ${file}`;
}

const isChange = (fault: Fault): boolean => isOfGroup(fault, 'changes') || fault.code === 'digest_mismatch';

/** Tells whether the owner of the certificate has signed something. A forger can put the certificate of another person beside a value of their own. */
const isMadeBySigner = ({ faults }: SignatureReport): boolean =>
  faults.every(
    (fault) =>
      isChange(fault) ||
      (effectOf(fault).verdict !== 'invalid' && fault.code !== 'signing_certificate_missing'),
  );

/** Why it is not that of the signer, which counts more than a change of what nobody has signed. */
function forgeryIn(file: VerifiedFile): string | undefined {
  const forged = file.signatures.find((one) => one.kind === 'signature' && !isMadeBySigner(one));
  const { fault } = judgementOf((forged?.faults ?? []).filter((candidate) => !isChange(candidate)));
  return fault && ` ${reasonOf(fault, file)}`;
}

/** Names the signature that it is about where that is not the only one: the names before it are not equally certain. */
function reasonOf(fault: Fault, { signatures }: VerifiedFile): string {
  const sentence =
    fault.code === 'untrusted'
      ? 'The issuer of the certificate is not known to this machine.'
      : faultSentenceOf(fault);
  const index = signatures.findIndex(({ faults }) => faults.includes(fault));
  const signature = signatures[index];
  const signers = signatures.filter(({ kind }) => kind === 'signature');
  if (!signature || (signers.length === 1 && signers[0] === signature)) return sentence;
  const kind = signature.kind === 'signature' ? 'Signature' : 'Document timestamp';
  return `${kind} ${index + 1} of ${signatures.length}, by ${nameOf(signature)}: ${sentence}`;
}

const MOST_NAMES = 3;

const nameOf = ({ signer }: SignatureReport): string =>
  signer ? shortNameInLine(signer.name) : 'an unknown signer';

function namesOf(signatures: readonly SignatureReport[]): string {
  const names = [...new Set(signatures.map(nameOf))];
  const shown = names.slice(0, MOST_NAMES);
  if (names.length > MOST_NAMES) return `${shown.join(', ')} and ${names.length - MOST_NAMES} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

function dayOf(signature: SignatureReport): string {
  const { isTimeProven } = answersOf(signature);
  const instant = instantOrNull(isTimeProven ? signature.proven?.time : signature.claims.time);
  if (instant === null) return 'at an unknown time';
  return `on ${formatLocalDay(instant)}${isTimeProven ? '' : " (by the signer's own clock)"}`;
}

/** What everybody sees: certificates and timestamps are not part of it. */
const NOT_SEEN = new Set(['validation_data', 'timestamp', 'signature', 'signature_field']);

function additions({ changes }: SignatureReport): string {
  const visible = changes.filter(({ kind }) => !NOT_SEEN.has(kind)).map(changeInWords);
  return visible.length === 0 ? '' : ` Since then, ${[...new Set(visible)].join('; ')}.`;
}

/** How to get another verdict, where there is a way. */
export function wayOut(file: VerifiedFile): string | undefined {
  const { fault, signature } = decisionOn(file);
  if (file.verdict !== 'indeterminate' || !fault) return undefined;
  const faults = allFaults(file);
  if (faults.some(({ code }) => code === 'too_many_signatures')) return undefined;
  const reasons = new Set(faults.map((candidate) => effectOf(candidate).subIndication));
  const accepting = `To accept this without a proof, add --accept indeterminate:${SUB_INDICATIONS.filter((reason) => reasons.has(reason)).join(',')}.`;
  const code = fault.code === 'timestamp_invalid' ? fault.facts?.why : fault.code;
  switch (code) {
    case 'untrusted':
      return `If you trust ${nameInLine(fault.facts?.top ?? '')}, get its certificate from them and add --trust FILE${file.evidence ? ' ("esign serve ca" prints that of a team server)' : ''}. ${accepting}`;
    case 'certificate_expired':
    case 'certificate_not_yet_valid':
      return `To verify as of another time, add --at TIME. ${accepting}`;
    case 'revocation_outdated':
      return `Ask the signer for a copy of the file with revocation data of a later time.${signature?.proven ? '' : ' To verify as of an earlier time, add --at TIME.'} ${accepting}`;
    case 'certificate_on_hold':
      return `Ask the signer for a copy of the file with revocation data that says whether the certificate is still on hold. ${accepting}`;
    case 'level_too_low':
      return reasons.size === 1 ? 'To verify without a required level, leave --level out.' : accepting;
    default:
      return accepting;
  }
}

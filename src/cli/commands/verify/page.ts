// The report on files as a person reads it: the verdict first, then who, when by whose clock, what is proven and what is not, and what
// changed. Every value that comes from a file is cleaned before it is printed.
import { epochMsOf } from '../../../common/instant.ts';
import {
  effectOf,
  type Fault,
  type FaultCode,
  isOfGroup,
  type Judgement,
  judgementOf,
  type LaterSave,
  ruleNamed,
  type SignatureReport,
  SUB_INDICATIONS,
} from '../../../pdf/verify/verify.ts';
import { type EvidenceSigner, signersIn } from '../../../pdf/write/certificate/evidence.ts';
import { identificationInWords, preparationInWords } from '../../../pdf/write/certificate/words.ts';
import { formatLocalDay, formatLocalTime } from '../../terminal/local-time.ts';
import { escapedCharacter, safeText } from '../../terminal/safe-text.ts';
import { instantOrNull } from './as-json.ts';
import { type Acceptance, acceptingOption } from './requirements.ts';
import {
  changeInWords,
  faultSentenceOf,
  nameInLine,
  notHigherInWords,
  PERMISSIONS,
  remarkInWords,
  shortNameInLine,
} from './sentences.ts';
import {
  type Answers,
  allFaults,
  answersOf,
  decisionOn,
  isFollowedByBytes,
  sealIn,
  unchangedIn,
  type Verdict,
  type VerifiedFile,
} from './verified-file.ts';

export type Line = readonly [label: string, text: string];

const VERDICTS: Record<Verdict, string> = {
  valid: 'valid',
  indeterminate: 'indeterminate',
  invalid: 'NOT VALID',
  unsigned: 'not signed',
  damaged: 'damaged: its structure cannot be read, so its signatures cannot be checked',
  encrypted: 'encrypted',
  not_a_pdf: 'not a PDF',
};

/** @property wrapped breaks a text into lines of at most so many columns, on a terminal */
export type PageOptions = {
  isExplained: boolean;
  wrapped: (text: string, indent: number) => string[];
  acceptance: Acceptance;
};

/** For a file or a pipe nothing is wrapped. */
export const unwrapped: PageOptions['wrapped'] = (text) => [text];

export const pageOf = (files: readonly VerifiedFile[], page: PageOptions): string =>
  files.map((file) => fileInWords(file, page)).join('\n\n');

function fileInWords(file: VerifiedFile, { isExplained, wrapped, acceptance }: PageOptions): string {
  const aligned = (lines: readonly Line[]) => alignedLines(lines, wrapped);
  const faultLine = (fault: Fault, more = '') =>
    hanging(
      effectOf(fault).verdict === 'invalid' ? '  ✗ ' : '  ? ',
      safeText(`${faultSentenceOf(fault)}${more}`),
      wrapped,
    );
  const rule = (fault: Fault) => (isExplained ? aligned(ruleLines(fault, file)) : []);
  const { path, signatures, faults } = file;
  const name = path === '-' ? 'standard input' : path;
  const headline = headlineOf(file);
  const evidence = evidenceFacts(file);
  const next = acceptingOption(file, acceptance) === undefined ? wayOut(file) : undefined;
  const sections = [
    [
      ...(headline === undefined ? [] : wrapped(safeText(headline), 0)),
      ...wrapped(`${safeText(name)}: ${verdictInWords(file, acceptance)}`, 0),
      ...faults.flatMap((fault) => [...faultLine(fault), ...rule(fault)]),
      ...aligned(next === undefined ? [] : [['Next', next]]),
      ...aligned(renderingLines(file)),
      ...aligned(file.remarks.map((remark) => ['Remark', remarkInWords(remark, file.verdict)] as const)),
    ],
    ...signatures.map((signature, index) => [
      `${signature.kind === 'signature' ? 'Signature' : 'Document timestamp'} ${index + 1} of ${signatures.length}: ${judgementInWords(judgementOf(signature.faults))}`,
      ...signature.faults.flatMap((fault) => [
        ...faultLine(fault, isExplained ? whereOf(fault) : ''),
        ...rule(fault),
      ]),
      ...aligned([
        ...signatureFacts(signature, signatures),
        ...(isExplained ? explained(signature, file.sizeBytes) : []),
      ]),
    ]),
    evidence.length === 0 ? [] : ['Evidence in the file', ...aligned(evidence)],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

export const judgementInWords = ({ verdict, subIndication }: Judgement): string =>
  `${VERDICTS[verdict]}${subIndication ? ` (${subIndication})` : ''}`;

/** With the reason in the words of the standard, the signature that decides where there are several, and the option that accepts it. */
export function verdictInWords(file: VerifiedFile, acceptance: Acceptance): string {
  const { verdict, signatures } = file;
  if (verdict !== 'indeterminate' && verdict !== 'invalid') return VERDICTS[verdict];
  const { subIndication, signature } = decisionOn(file);
  const accepted = acceptingOption(file, acceptance);
  const which =
    signature && signatures.length > 1
      ? `, because of ${WHAT[signature.kind]} ${signatures.indexOf(signature) + 1} of ${signatures.length}`
      : '';
  return `${judgementInWords({ verdict, subIndication, fault: undefined })}${which}${accepted ? `, accepted (${accepted})` : ''}`;
}

const WHAT = { signature: 'signature', timestamp: 'document timestamp' } as const;

function renderingLines({ rendering, faults }: VerifiedFile): Line[] {
  if (rendering.state === 'skipped')
    return [['Pages', 'not compared with the signed versions (--no-render)']];
  if (rendering.state !== 'compared' || faults.some(({ code }) => code === 'shown_differently')) return [];
  const { pages, of } = rendering;
  if (pages === 0) return [['Pages', 'none was changed after a signature']];
  const which = pages === of ? 'All' : `${pages} of ${of}`;
  return [['Pages', `${which} compared with the signed versions: they show the same`]];
}

const LABEL_WIDTH = 13;

const alignedLines = (lines: readonly Line[], wrapped: PageOptions['wrapped']): string[] =>
  lines.flatMap(([label, text]) => hanging(`  ${label.padEnd(LABEL_WIDTH)} `, safeText(text), wrapped));

/** Further lines begin where the text does. */
const hanging = (before: string, text: string, wrapped: PageOptions['wrapped']): string[] =>
  wrapped(text, before.length).map(
    (line, index) => (index === 0 ? before : ' '.repeat(before.length)) + line,
  );

const timeInWords = (ms: number | undefined): string => {
  const instant = instantOrNull(ms);
  return instant === null ? 'an unknown time' : formatLocalTime(instant);
};

export function signatureFacts(signature: SignatureReport, all: readonly SignatureReport[]): Line[] {
  const { kind, signer, chain, claims, certification, level, notHigher, covers } = signature;
  const answers = answersOf(signature);
  const lines: Line[] = [['Unchanged', unchangedInWords(answers)]];
  if (signer) {
    lines.push([kind === 'signature' ? 'Signed by' : 'Made by', signer.name]);
    lines.push(['Certificate', `issued by ${signer.issuerName}`]);
  }
  if (chain?.anchor && answers.isSignerProven)
    lines.push(['Trusted', `${chain.anchor.certificate.name}, by ${chain.anchor.why}`]);
  if (signer && !answers.isSignerProven)
    lines.push(['Not proven', `who ${kind === 'signature' ? 'signed' : 'made it'}`]);
  lines.push(...timeLines(signature, answers.isTimeProven));
  if (claims.reason) lines.push(['Reason', `${claims.reason} (as stated by the signer)`]);
  if (claims.location) lines.push(['Location', `${claims.location} (as stated by the signer)`]);
  if (certification && certification !== 'approval') lines.push(['Effect', PERMISSIONS[certification]]);
  if (kind === 'signature') lines.push(['Level', levelInWords(level, notHigher)]);
  lines.push(...revocationLines(signature));
  if (covers?.isWholeFile) lines.push(['Afterwards', 'nothing was changed']);
  if (isFollowedByBytes(signature)) lines.push(['Afterwards', 'bytes were appended that no reader shows']);
  for (const [index, save] of signature.laterSaves.entries())
    lines.push([index === 0 ? 'Afterwards' : '', saveInWords(save, signature, all)]);
  return lines;
}

/** Who made a later save, and what else it changed. What came with a fault may not be known. */
function saveInWords(
  { number, object, changes }: LaterSave,
  { faults }: SignatureReport,
  all: readonly SignatureReport[],
): string {
  const index = object === undefined ? -1 : all.findIndex((other) => other.object === object);
  const made = all[index];
  const what = made?.kind === 'timestamp' ? 'document timestamp' : 'signature';
  const who = made ? `${what} ${index + 1} by ${made.signer?.name ?? 'an unknown signer'}` : 'not signed';
  const others = changes
    .filter(({ objects }) => object === undefined || !objects.includes(object))
    .map(changeInWords);
  if (others.length === 0 && !made && faults.length === 0) others.push('nothing was changed');
  return [`version ${number}: ${who}`, ...others].join('; ');
}

function timeLines({ kind, proven, claims }: SignatureReport, isProven: boolean): Line[] {
  if (proven && isProven) {
    const what = kind === 'signature' ? 'Signed at' : 'Time';
    const before = kind === 'signature' ? 'or before, proven by the clock of ' : 'by the clock of ';
    return [[what, `${timeInWords(proven.time)} ${before}${proven.by}`]];
  }
  if (kind === 'timestamp') return [];
  const claimed =
    claims.time === undefined ? 'not stated' : `${timeInWords(claims.time)}, stated by the signer`;
  return [['Signed at', `${claimed}; no timestamp proves it`]];
}

function levelInWords(level: string | undefined, notHigher: SignatureReport['notHigher']): string {
  if (level === 'LTA') return 'PAdES B-LTA';
  const reached = level === undefined ? 'not PAdES' : `PAdES B-${level}`;
  return `${reached}; not higher because ${notHigherInWords(notHigher)}`;
}

const REVOKED = new Set<FaultCode>([
  'certificate_revoked',
  'certificate_on_hold',
  'authority_revoked',
  'signed_after_revocation',
]);

function revocationLines({ chain, faults }: SignatureReport): Line[] {
  if (!chain?.anchor || chain.certificates.length < 2) return [];
  if (faults.some(({ code }) => REVOKED.has(code))) return [];
  const names = chain.unchecked.map(({ name }) => name).join(', ');
  if (names === '') return [['Revocation', 'none of the certificates was revoked at that time']];
  return [['Not proven', `whether these certificates were revoked: ${names}`]];
}

function unchangedInWords({ unchanged, added }: Answers): string {
  if (unchanged === 'unknown') return 'not certain';
  if (unchanged === 'no') return 'no';
  return added.length === 0 ? 'yes' : 'yes, but for additions that the signature allows';
}

const whereOf = ({ object, at }: { object?: number; at?: number }): string => {
  const places = [
    ...(object === undefined ? [] : [`object ${object}`]),
    ...(at === undefined ? [] : [`byte ${at}`]),
  ];
  return places.length === 0 ? '' : ` [${places.join(', ')}]`;
};

/** The rule that objects, what it would allow, and the object that it objects to. */
function ruleLines({ rule, object }: Fault, { kindOfObject }: VerifiedFile): Line[] {
  const { name, allows, source } = ruleNamed(rule) ?? {};
  return [
    ...(name === undefined ? [] : [['Rule', `${name}. Allowed: ${allows} (${source})`] as const]),
    ...(object === undefined ? [] : [['Object', `${object}: ${kindOfObject(object)}`] as const]),
  ];
}

function explained(
  { field, object, covers, chain, algorithm, changes, claims }: SignatureReport,
  size: number,
): Line[] {
  const lines: Line[] = [
    ['Field', field],
    ['Format', claims.subFilter],
  ];
  if (object !== undefined) lines.push(['Dictionary', `object ${object}`]);
  if (covers)
    lines.push([
      'Covers',
      `bytes 0 to ${covers.gap.start} and ${covers.gap.end} to ${covers.end} of ${size}; the signature lies between`,
    ]);
  if (algorithm) lines.push(['Algorithm', algorithm]);
  for (const [index, certificate] of (chain?.certificates ?? []).entries())
    lines.push([index === 0 ? 'Chain' : '', `${certificate.subjectName} · SHA-256 ${certificate.sha256}`]);
  for (const { kind, objects } of changes)
    lines.push([
      'Changed',
      `${kind}: ${objects.length === 0 ? 'no objects' : `objects ${objects.join(', ')}`}`,
    ]);
  return lines;
}

const ANGLE_LIKE = /[\s<>\p{Ps}\p{Pe}\p{Pi}\p{Pf}\u02c2\u02c3\u1433\u1438\ufe64\ufe65\uff1c\uff1e]/gu;

const signerLine = ({ name, email, role, signed_at, identified_by }: EvidenceSigner): Line => [
  'Signed by',
  `${nameInLine(name)} <${email.replace(ANGLE_LIKE, escapedCharacter)}>${role === 'proxy' ? ' as a proxy' : ''} at ${timeInWords(epochMsOf(signed_at))}, identified by ${identificationInWords(identified_by, email.replace(ANGLE_LIKE, escapedCharacter))}`,
];

export function evidenceFacts({ evidence, original, verdict, signatures }: VerifiedFile): Line[] {
  const lines: Line[] = [];
  const { evidence: content, document } = evidence ?? {};
  if (content && document) {
    const { transaction, entries } = content;
    const recorder = sealIn(signatures)?.signer?.name ?? 'an unknown signer';
    // Evidence is worth what the seal over it is worth.
    if (verdict === 'valid') lines.push(['Recorded by', recorder], ...signersIn(content).map(signerLine));
    lines.push(['Transaction', `${transaction.name} (${transaction.id})`]);
    lines.push(['Document', document.name]);
    lines.push(['Evidence', `${entries.length} entries, each following from the one before`]);
    const { preparation } = document;
    lines.push([preparation ? 'Uploaded' : 'Original', `SHA-256 ${document.original.sha256}`]);
    if (preparation)
      lines.push(
        ['Original', `SHA-256 ${preparation.original.sha256}, as the sender stated`],
        ['Changes', preparationInWords(preparation)],
      );
    if (verdict === 'valid')
      lines.push([
        'Seal',
        `proves that ${recorder} recorded this; it does not prove who opened a signing link`,
      ]);
  }
  if (original === 'yes')
    lines.push([
      'Original',
      content
        ? 'is the file that was given'
        : 'the document begins with the file that was given; what was added before the first signature was signed with it',
    ]);
  if (original === 'of_another_document')
    lines.push(['Original', 'is that of another document of the same transaction']);
  return lines;
}

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
  const file = nameInLine(otherOriginal.details?.file ?? '');
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
  const forged = file.signatures.find(
    (signature) => signature.kind === 'signature' && !isMadeBySigner(signature),
  );
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
  const code = fault.code === 'timestamp_invalid' ? fault.details?.why : fault.code;
  switch (code) {
    case 'untrusted':
      return `If you trust ${nameInLine(fault.details?.top ?? '')}, get its certificate from them and add --trust FILE${file.evidence ? ' ("esign serve ca" prints that of a team server)' : ''}. ${accepting}`;
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

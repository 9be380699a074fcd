import {
  type Certificate,
  judgementOf,
  type SignatureReport,
  type SignatureVerdict,
} from '../../../pdf/verify/verify.ts';
import { safeText } from '../../terminal/safe-text.ts';
import { instantOrNull } from './as-json.ts';
import STYLE from './html-report.css';
import {
  evidenceFacts,
  headlineOf,
  judgementInWords,
  type Line,
  signatureFacts,
  verdictInWords,
  wayOut,
} from './page.ts';
import { type Acceptance, acceptingOption } from './requirements.ts';
import { faultSentenceOf, remarkInWords } from './sentences.ts';
import { answersOf, type VerifiedFile } from './verified-file.ts';

const INDICATIONS: Record<SignatureReport['kind'], Record<SignatureVerdict, string>> = {
  signature: { valid: 'total-passed', indeterminate: 'indeterminate', invalid: 'total-failed' },
  timestamp: { valid: 'passed', indeterminate: 'indeterminate', invalid: 'failed' },
};

/** Each certificate once, under an identifier to which others refer. */
type Objects = { certificates: Map<string, { id: string; certificate: Certificate }> };

export function etsiReport(files: readonly VerifiedFile[], now: number): string {
  const objects: Objects = { certificates: new Map() };
  const reports = files.flatMap((file) => reportsOn(file, now, objects));
  const timestamps = files.flatMap((file, index) =>
    file.signatures
      .filter(({ kind }) => kind === 'timestamp')
      .map((signature, at) =>
        timestampObject(file, signature, { now, objects, id: `T${index + 1}-${at + 1}` }),
      ),
  );
  const certificates = [...objects.certificates.values()].map(certificateObject);
  const listed = [...certificates, ...timestamps];
  const whole = markup`<?xml version="1.0" encoding="UTF-8"?>
<ValidationReport xmlns="http://uri.etsi.org/19102/v1.4.1#">
${reports}${
  listed.length > 0 &&
  markup`<SignatureValidationObjects>
${listed}</SignatureValidationObjects>
`
}</ValidationReport>`;
  return markupText(whole);
}

/** One for each signature; of a file without any, one that says so. */
function reportsOn(file: VerifiedFile, now: number, objects: Objects): Markup[] {
  const signatures = file.signatures.filter(({ kind }) => kind === 'signature');
  if (signatures.length === 0)
    return [
      markup`<SignatureValidationReport>
${identifier(file.path)}${status('urn:etsi:019102:mainindication:indeterminate', ['CUSTOM'])}${otherFacts([
  ['verdict', file.verdict],
  ...file.faults.map((fault) => ['fault', faultSentenceOf(fault)] as const),
  ...file.remarks.map((remark) => ['remark', remarkInWords(remark, file.verdict)] as const),
])}</SignatureValidationReport>
`,
    ];
  return signatures.map(
    (signature) => markup`<SignatureValidationReport>
${reportBody(file, signature, now, objects)}</SignatureValidationReport>
`,
  );
}

const identifier = (name: string): Markup => markup`<SignatureIdentifier>
<HashOnly>false</HashOnly>
<DocHashOnly>false</DocHashOnly>
<DAIdentifier>${name}</DAIdentifier>
</SignatureIdentifier>
`;

function reportBody(file: VerifiedFile, signature: SignatureReport, now: number, objects: Objects): Markup {
  const { claims, covers, signer, kind } = signature;
  // What is wrong with the file as a whole is wrong with every signature in it.
  const faults = kind === 'signature' ? [...signature.faults, ...file.faults] : signature.faults;
  const { verdict, subIndication } = judgementOf(faults);
  const answers = answersOf(signature);
  const claimed = instantOrNull(claims.time);
  return markup`${identifier(`${file.path}#${signature.field}`)}${timeInfo(signature, answers.isTimeProven, now)}<SignatureAttributes>
${
  claimed !== null &&
  markup`<SigningTime Signed="true"><Time>${claimed}</Time></SigningTime>
`
}${
  claims.reason !== undefined &&
  markup`<Reason Signed="true"><ReasonElement>${claims.reason}</ReasonElement></Reason>
`
}${
  claims.name !== undefined &&
  markup`<Name Signed="true"><NameElement>${claims.name}</NameElement></Name>
`
}<SubFilter Signed="true"><SubFilterElement>${claims.subFilter}</SubFilterElement></SubFilter>
${
  covers &&
  markup`<ByteRange>0 ${covers.gap.start} ${covers.gap.end} ${covers.end - covers.gap.end}</ByteRange>
`
}</SignatureAttributes>
${
  signer &&
  markup`<SignerInformation>
<SignerCertificate VOReference="${idOf(signer, objects)}"/>
<Signer>${signer.subjectName}</Signer>
</SignerInformation>
`
}<SignatureValidationProcess>
<SignatureValidationProcessID>urn:etsi:019102:validationprocess:LTA</SignatureValidationProcessID>
</SignatureValidationProcess>
${status(
  `urn:etsi:019102:mainindication:${INDICATIONS[kind][verdict]}`,
  subIndication ? [subIndication] : [],
  associatedData(signature, answers.isSignerProven, objects),
)}${otherFacts([
  ['unchanged', answers.unchanged],
  ['signer_proven', answers.isSignerProven ? 'yes' : 'no'],
  ['time_proven', answers.isTimeProven ? 'yes' : 'no'],
  ['level', signature.level ?? ''],
  ...answers.added.map((change) => ['added', change] as const),
  ...faults.map((fault) => ['fault', faultSentenceOf(fault)] as const),
  ...file.remarks.map((remark) => ['remark', remarkInWords(remark, file.verdict)] as const),
])}`;
}

function timeInfo({ proven }: SignatureReport, isProven: boolean, now: number): Markup {
  const looked = instantOrNull(now) ?? '';
  const best = (isProven && instantOrNull(proven?.time)) || looked;
  return markup`<ValidationTimeInfo>
<ValidationTime>${looked}</ValidationTime>
<BestSignatureTime><POETime>${best}</POETime><TypeOfProof>urn:etsi:019102:poetype:validation</TypeOfProof></BestSignatureTime>
</ValidationTimeInfo>
`;
}

const status = (indication: string, reasons: readonly string[], data?: Markup): Markup =>
  markup`<SignatureValidationStatus>
<MainIndication>${indication}</MainIndication>
${reasons.map(
  (reason) => markup`<SubIndication>urn:etsi:019102:subindication:${reason}</SubIndication>
`,
)}${data}</SignatureValidationStatus>
`;

/** The way to the authority, which is called an anchor only if it is one. */
function associatedData(
  { chain }: SignatureReport,
  isSignerProven: boolean,
  objects: Objects,
): Markup | undefined {
  const [signer, ...above] = chain?.certificates ?? [];
  if (!signer) return undefined;
  const anchor = chain?.anchor?.certificate;
  const between = above.filter((certificate) => certificate !== anchor);
  return markup`<AssociatedValidationReportData>
${
  anchor &&
  isSignerProven &&
  markup`<TrustAnchor VOReference="${idOf(anchor, objects)}"/>
`
}<CertificateChain>
<SigningCertificate VOReference="${idOf(signer, objects)}"/>
${between.map(
  (certificate) => markup`<IntermediateCertificate VOReference="${idOf(certificate, objects)}"/>
`,
)}${
  anchor &&
  markup`<TrustAnchor VOReference="${idOf(anchor, objects)}"/>
`
}</CertificateChain>
</AssociatedValidationReportData>
`;
}

/** What the standard has no element for. */
const otherFacts = (
  facts: readonly (readonly [name: string, text: string])[],
): Markup => markup`<OtherInformation>
${facts.map(
  ([name, text]) => markup`<fact xmlns="urn:esign:verify" name="${name}">${text}</fact>
`,
)}</OtherInformation>
`;

function idOf(certificate: Certificate, { certificates }: Objects): string {
  const entry = certificates.get(certificate.sha256) ?? { id: `C-${certificate.sha256}`, certificate };
  certificates.set(certificate.sha256, entry);
  return entry.id;
}

const certificateObject = ({ id, certificate }: { id: string; certificate: Certificate }): Markup =>
  markup`<ValidationObject id="${id}">
<ObjectType>urn:etsi:019102:validationObject:certificate</ObjectType>
<ValidationObjectRepresentation><base64>${certificate.der.toString('base64')}</base64></ValidationObjectRepresentation>
</ValidationObject>
`;

const timestampObject = (
  file: VerifiedFile,
  signature: SignatureReport,
  { now, objects, id }: { now: number; objects: Objects; id: string },
): Markup => markup`<ValidationObject id="${id}">
<ObjectType>urn:etsi:019102:validationObject:timestamp</ObjectType>
<ValidationObjectRepresentation><direct>${file.path}#${signature.field}</direct></ValidationObjectRepresentation>
<ValidationReport>
${reportBody(file, signature, now, objects)}</ValidationReport>
</ValidationObject>
`;

export function htmlReport(files: readonly VerifiedFile[], acceptance: Acceptance): string {
  const title =
    files.length === 1 ? `Verification of ${files[0]?.path}` : `Verification of ${files.length} files`;
  return markupText(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width">
<title>${safeText(title)}</title>
<style>
${STYLE}</style>
</head>
<body>
${files.map((file) => fileSection(file, acceptance))}</body>
</html>`);
}

function fileSection(file: VerifiedFile, acceptance: Acceptance): Markup {
  const { path, verdict, signatures, faults, pictures = [] } = file;
  const headline = headlineOf(file);
  const next = acceptingOption(file, acceptance) === undefined ? wayOut(file) : undefined;
  const evidence = evidenceFacts(file);
  return markup`<h1>${safeText(path)}</h1>
${
  headline !== undefined &&
  markup`<p class="says ${verdict}">${safeText(headline)}</p>
`
}<p class="verdict">Verdict: ${verdictInWords(file, acceptance)}</p>
${list(faults.map((fault) => faultSentenceOf(fault)))}${
  next !== undefined &&
  markup`<p>${safeText(next)}</p>
`
}${list(file.remarks.map((remark) => remarkInWords(remark, file.verdict)))}${signatures.map(
  (
    signature,
    index,
  ) => markup`<h2>${signature.kind === 'signature' ? 'Signature' : 'Document timestamp'} ${index + 1} of ${signatures.length}: ${judgementInWords(judgementOf(signature.faults))}</h2>
${list(signature.faults.map((fault) => faultSentenceOf(fault)))}${facts(signatureFacts(signature, signatures))}`,
)}${
  evidence.length > 0 &&
  markup`<h2>Evidence in the file</h2>
${facts(evidence)}`
}${pictures.map(
  ({ page, signed, now }) => markup`<h2>Page ${page + 1} looks different</h2>
${picture(signed, 'As it was signed')}${picture(now, 'As it is now')}`,
)}`;
}

const list = (sentences: readonly string[]): Markup | undefined =>
  sentences.length === 0
    ? undefined
    : markup`<ul>
${sentences.map(
  (sentence) => markup`<li>${safeText(sentence)}</li>
`,
)}</ul>
`;

/** Further lines of the same name have none. */
const facts = (lines: readonly Line[]): Markup => markup`<dl>
${lines.map(
  ([label, text]) => markup`${
    label !== '' &&
    markup`<dt>${label}</dt>
`
  }<dd>${safeText(text)}</dd>
`,
)}</dl>
`;

const picture = (png: Uint8Array | undefined, caption: string): Markup =>
  png
    ? markup`<figure><img alt="${caption}" src="data:image/png;base64,${Buffer.from(png).toString('base64')}"><figcaption>${caption}</figcaption></figure>
`
    : markup`<figure><figcaption>${caption}: there is no picture of this page.</figcaption></figure>
`;

const MARKUP = Symbol('markup');

type Markup = { readonly [MARKUP]: string };

type MarkupValue = Markup | string | number | undefined | false | readonly MarkupValue[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What XML 1.0 has no place for, also escaped: controls, halves of characters, and two numbers that stand for none. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escaped = (text: string): string =>
  text.replaceAll(FORBIDDEN, '\ufffd').replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** In content and in quoted attributes; no value goes anywhere else. */
const markup = (parts: TemplateStringsArray, ...values: MarkupValue[]): Markup => ({
  [MARKUP]: parts.reduce((before, part, index) => before + textOf(values[index - 1]) + part),
});

function textOf(value: MarkupValue): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'number') return String(value);
  if (MARKUP in value) return value[MARKUP];
  return value.map(textOf).join('');
}

const markupText = (whole: Markup): string => whole[MARKUP];

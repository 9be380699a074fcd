// The report on files in the form of ETSI TS 119 102-2 V1.4.1, for programs that archive or compare validations (--report etsi). It must never say
// more than the report for people: both are made from the same facts.
import type { Certificate, SignatureReport } from '../../../pdf/verify/verify.ts';
import { judgementOf, type SignatureVerdict } from '../../../pdf/verify/verify.ts';
import { answersOf } from './answers.ts';
import { instantOrNull } from './as-json.ts';
import { type Markup, markup, markupText } from './markup.ts';
import { faultSentenceOf, remarkInWords } from './sentences.ts';
import type { VerifiedFile } from './verified-file.ts';

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
  ...file.remarks.map((remark) => ['remark', remarkInWords(remark)] as const),
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
  ...file.remarks.map((remark) => ['remark', remarkInWords(remark)] as const),
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
  const between = above.filter((one) => one !== anchor);
  return markup`<AssociatedValidationReportData>
${
  anchor &&
  isSignerProven &&
  markup`<TrustAnchor VOReference="${idOf(anchor, objects)}"/>
`
}<CertificateChain>
<SigningCertificate VOReference="${idOf(signer, objects)}"/>
${between.map(
  (one) => markup`<IntermediateCertificate VOReference="${idOf(one, objects)}"/>
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

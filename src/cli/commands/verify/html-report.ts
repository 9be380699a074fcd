// The report on files as one HTML page without scripts (--report html), with pictures of the pages that look different now than when they were signed.
// It loads nothing, and all text in it is escaped: nothing that a file says can end an element, or turn the direction of the words around it.
import { judgementOf } from '../../../pdf/verify/verify.ts';
import { safeText } from '../../terminal/safe-text.ts';
import { type Acceptance, acceptingOption } from './acceptance.ts';
import { headlineOf, wayOut } from './headline.ts';
import STYLE from './html-report.css';
import { type Markup, markup, markupText } from './markup.ts';
import { evidenceFacts, judgementInWords, type Line, signatureFacts, verdictInWords } from './page.ts';
import { faultSentenceOf, remarkInWords } from './sentences.ts';
import type { VerifiedFile } from './verified-file.ts';

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
}${list(file.remarks.map((remark) => remarkInWords(remark)))}${signatures.map(
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

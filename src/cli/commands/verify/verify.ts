// `esign verify`: what the signatures of any PDF are worth, offline.

import { LIMITS } from '../../../api/contract/limits.ts';
import { sha256Of } from '../../../common/sha256.ts';
import { type Level, type SignatureReport, VERIFY_LIMITS } from '../../../pdf/verify/verify.ts';
import { type CommandInput, defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import { list, object, prints } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { createFileReader, fileLabel, readPassword, refuseStdinTwice } from '../../input/files.ts';
import { parseInstant } from '../../input/parse-input.ts';
import { decisionAsJson, FILE_SCHEMA, fileAsJson, instantOrNull, whyNotValid } from './as-json.ts';
import { type PageOptions, pageOf, unwrapped } from './page.ts';
import { etsiReport, htmlReport } from './reports.ts';
import { type Acceptance, acceptanceOf, exitOf, isAccepted, policyIn, trustOf } from './requirements.ts';
import { notHigherInWords } from './sentences.ts';
import {
  answersOf,
  changedPictures,
  unchangedIn,
  type VerifiedFile,
  type VerifyOptions,
  verifyFile,
} from './verified-file.ts';

const ARGUMENTS = [
  { name: 'file', repeat: true, completes: 'file', summary: 'PDF files to verify; - reads standard input' },
] as const;

export const OPTIONS = {
  trust: {
    value: 'FILE',
    repeat: true,
    completes: 'file',
    summary: 'File with certificates (PEM or DER) to trust in addition to those of this machine',
  },
  level: {
    value: 'LEVEL',
    choices: ['B', 'T', 'LT', 'LTA'],
    summary: 'PAdES level that every signature must reach',
  },
  at: {
    value: 'TIME',
    summary:
      'Time to verify at instead of now, for signatures without a timestamp and for the last timestamp of a file, which proves the times before it, such as 2026-11-21T18:00:00Z, or 2026-11-21 for midnight UTC (default: now)',
  },
  policy: {
    value: 'FILE',
    completes: 'file',
    summary:
      'JSON file with the days from which hashes and keys are weak, in place of those of ETSI TS 119 312: {"hashes": {"SHA-1": "2012-08-01"}, "rsa_below": {"1900": "2019-10-01"}, "rsa_pkcs1": null, "ec_below": {}, "ocsp_rsa_below": {}}; a row that is not named keeps its day, and null removes a row',
  },
  original: {
    value: 'FILE',
    completes: 'file',
    summary:
      'Uploaded file that the document must have been made from: its hash must be in the evidence as that of this document; without evidence, the document must begin with its bytes',
  },
  'password-file': {
    value: 'FILE',
    completes: 'file',
    summary: 'File with the password of encrypted PDF files; - reads standard input',
  },
  accept: {
    value: 'VERDICT:REASON',
    repeat: true,
    summary:
      'Reasons of the verdict indeterminate that do not change the exit code, such as indeterminate:NO_CERTIFICATE_CHAIN_FOUND; several are separated by commas',
  },
  require: {
    value: 'ANSWER',
    choices: ['unchanged'],
    summary:
      'What the exit code depends on, instead of the whole verdict: only whether the document is unchanged since it was signed',
  },
  report: {
    value: 'FORMAT',
    choices: ['etsi', 'html'],
    summary:
      'Form of a report that is printed instead: etsi is XML as ETSI TS 119 102-2 defines it, html a page with pictures of what changed',
  },
  'no-render': {
    summary:
      'Skip comparing how pages look now with how they looked when they were signed: faster, but a change that only a drawing shows is not found',
  },
  explain: {
    summary:
      'Show the PDF objects and byte offsets behind each finding, and which rule does not allow a change',
  },
} as const;

export const command = defineCommand({
  summary: 'Verify the signatures of PDF files',
  details: `Checks every signature and timestamp of any PDF, whether or not esign created it: the bytes it covers, its
digest and cryptographic signature, the certificate chain up to a trusted certificate, validity at the time
proven by a timestamp (without one, and for the last timestamp: now, or --at), revocation data in the document, the PAdES level, and every change saved after signing. A change that the signature
does not permit makes the file invalid, even if the signature itself is intact. A document completed
by a service with esign's API, such as the sandbox, has the seal of the service, not signatures of people. The audit trail in the document (the
evidence), which is checked too, says who signed, and when.

The verdict on a signature is one of three, with the reason in the words of the standard (EN 319 102-1); the worst one is that of the file:

  valid           Unchanged, by a signer whose certificate leads to a trusted authority (TOTAL-PASSED)
  indeterminate   Not proven wrong, and not proven right: the issuer is not known here (NO_CERTIFICATE_CHAIN_FOUND), a certificate has
                  expired or was revoked and nothing proves that it was used before (OUT_OF_BOUNDS_NO_POE, REVOKED_NO_POE), an algorithm is
                  weak (CRYPTO_CONSTRAINTS_FAILURE), the revocation data is too old or a certificate on hold (TRY_LATER), --level is not reached
                  (SIG_CONSTRAINTS_FAILURE), and so on
  invalid         Proven wrong: changed after signing (HASH_FAILURE, FORMAT_FAILURE), not made with the key of the certificate
                  (SIG_CRYPTO_FAILURE), or made when the certificate was not in force (NOT_YET_VALID, EXPIRED, REVOKED) (TOTAL-FAILED)

Hashes and keys are judged at the proven time of a signature, by the days of ETSI TS 119 312 V1.5.1: MD5 is weak from 2004-08-01, SHA-1 from 2012-08-01,
SHA-224 and RSA below 3000 bits from 2029-01-01, RSA below 1024 bits from 2010-08-01 and below 1900 from 2019-10-01, elliptic curves below 256 bits from 2021-10-01. From
2026-01-01 on, OCSP answers signed by RSA keys below 3000 bits do not prove that a certificate was not revoked. --policy takes other days.

Three questions are answered apart: whether the document is unchanged, who signed it and whether that is proven, and when.

Trusted certificates are those given with --trust, those of the operating system, and the certificate authority of the
sandbox on this machine. \`esign serve ca\` prints that of a team server. No network is used and nothing is stored.

PAdES levels say what a document contains, each in addition to the one before:

  B    A signature with the certificate of its signer
  T    A timestamp that proves when it was signed
  LT   Certificates and revocation data, so that it can be verified later without a network
  LTA  (in full: B-LTA) A timestamp over all of these, so that it can still be verified when their certificates have expired, until that of the timestamp has

Pages that lead to something saved after a signature are drawn as they were signed and as they are now, for the screen and for printing, and
compared outside the places of what was filled in or signed. Nothing is drawn if only validation data, metadata and signatures that show nothing were added. Remarks name signed text over which something is drawn in these places, and text fields that show something other than their value. --no-render leaves that out.

Other remarks name what makes programs show an unchanged document differently: scripts and actions that run without a click when it is opened, shown or printed, dynamic forms (XFA), content in other files, and layers that differ on the
screen and on paper. None of it is run or loaded.

With --report, the same facts are printed in another form: etsi for archives and other validators (XML, ETSI TS 119 102-2 V1.4.1), html for people (one page without scripts, which loads nothing,
with pictures of pages that look different now than when they were signed). The exit code is the same.

Encrypted files that open without a password for reading are checked like any other; for others, give the password with --password-file.

The exit code is 0 if every file is valid or accepted, 11 if a file is indeterminate, and 9 if one is invalid, not signed, damaged or encrypted. If one
is not a PDF, it is 2. Of several files the worst one decides: 2 before 9, 9 before 11. A file not made from
--original is invalid (CUSTOM). --accept names reasons of the verdict indeterminate that do not count; a file is accepted if it has no others.
--require unchanged asks only whether the document is unchanged since it was signed, and says nothing about the signer. No option accepts an invalid file, or one with more fields or signatures than are looked at (CUSTOM). If the only file is not a PDF, an error is
printed instead of a result. In a pipe and without --explain, each file is one line with columns separated by tabs:
path, verdict, names in the signing certificates (in a sealed document, the name of the service), time of the last signature if a timestamp proves it, lowest level of the signatures, the first problem, or why the level is not higher,
reason in the words of the standard, whether the document is unchanged (yes, no, unknown), trusted authorities of the signers, and whose clock proves the time.`,
  arguments: ARGUMENTS,
  options: OPTIONS,
  json: prints(object({ items: list(FILE_SCHEMA) })),
  examples: [
    {
      line: 'esign verify contract.sealed.pdf',
      about: 'Verify a file: who signed or sealed it, when, and what changed afterwards',
    },
    {
      line: 'esign verify contract.sealed.pdf --trust company-ca.pem --level LTA',
      about: "Require long-term verifiable signatures, and trust a company's certificate authority as well",
    },
    {
      line: 'esign verify contract.pdf --accept indeterminate:NO_CERTIFICATE_CHAIN_FOUND',
      about: 'Accept signatures of unknown issuers, but nothing that was changed',
    },
    {
      line: 'esign verify contract.pdf --report html > report.html',
      about: 'Write a report that a browser shows',
    },
    { line: 'esign verify signed/*.pdf --json', about: 'Verify several files and print a JSON report' },
  ],
  run: verifyFiles,
});

type VerifyInput = CommandInput<typeof ARGUMENTS, typeof OPTIONS>;

type Parts = Uses<'connections' | 'process' | 'terminal'>;

export async function verifyFiles(context: Parts, { args, options }: VerifyInput): Promise<Outcome> {
  const paths = args.file;
  const { original: originalPath, 'password-file': passwordPath } = options;
  refuseStdinTwice([...paths, ...options.trust, options.policy, originalPath, passwordPath]);
  const acceptance = acceptanceOf(options);
  const now = options.at === undefined ? context.process.clock() : parseInstant('--at', options.at);
  const reader = createFileReader(context, VERIFY_LIMITS.fileBytes);
  const original =
    options.original === undefined
      ? undefined
      : { path: options.original, bytes: await reader.read(options.original) };
  const verifying: VerifyOptions = {
    trust: await trustOf(context, options.trust, reader),
    now,
    level: options.level as Level | undefined,
    policy: options.policy === undefined ? undefined : await policyIn(options.policy, reader),
    original,
    password: passwordPath === undefined ? undefined : await readPassword(passwordPath, context),
    textOfPage: (bytes) => textReader(context, bytes),
    compareVersions: options['no-render']
      ? undefined
      : (bytes, version) => context.process.documents.compareVersions(sourceOf(bytes), version, 'verify'),
    drawChanges:
      options.report === 'html'
        ? (bytes, versions) => changedPictures(bytes, versions, context.process.documents)
        : undefined,
    computing: context.process.computing,
    prepareToCompare: () => context.process.documents.prepare(),
  };
  const files: VerifiedFile[] = [];
  for (const path of paths) {
    context.process.checkpoint();
    const bytes = await reader.read(path);
    files.push(await verifyFile(path, bytes, verifying));
  }
  const [only] = files;
  if (only && files.length === 1 && only.verdict === 'not_a_pdf') throw notAPdf(only.path);
  if (options.report !== undefined) {
    const text = options.report === 'etsi' ? etsiReport(files, now) : htmlReport(files, acceptance);
    return { kind: 'text', json: asJson(files, acceptance), text, exit: exitOf(files, acceptance) };
  }
  return outcomeOf(files, acceptance, await wrapperFor(context), options.explain);
}

const notAPdf = (path: string) =>
  cliError('not_a_pdf', {
    sentence: `${fileLabel(path)} is not a PDF.`,
    hint: 'Specify a PDF file. esign verifies signatures in PDF files only.',
  });

const sourceOf = (bytes: Uint8Array) => ({
  sha256: sha256Of(bytes),
  bytes: async () => bytes,
});

/** Asks the document engine, which opens no document before the first page is asked for. */
function textReader(
  { process }: Uses<'process'>,
  bytes: Uint8Array,
): ReturnType<VerifyOptions['textOfPage']> {
  const source = sourceOf(bytes);
  let pages: Promise<number> | undefined;
  const count = async () => {
    const inspected = await process.documents.inspect(
      source,
      { maxPages: LIMITS.pagesPerDocument },
      'verify',
    );
    return inspected.ok ? inspected.pages.length : 0;
  };
  return async (page, boxes) => {
    pages ??= count();
    if (page >= (await pages)) return undefined;
    const read = await process.documents.readText(source, page, 'verify', boxes);
    return read.ok ? read : undefined;
  };
}

// ── outcome ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const COLUMNS = [
  'file',
  'verdict',
  'signer',
  'time',
  'level',
  'reason',
  'sub_indication',
  'unchanged',
  'trusted_by',
  'proven_by',
];

/** Undefined unless the output is a terminal. */
async function wrapperFor({ terminal }: Uses<'terminal'>): Promise<PageOptions['wrapped'] | undefined> {
  const { isTerminal, columns } = terminal.streams.out;
  if (!isTerminal) return undefined;
  if (!columns) return unwrapped;
  const { createRuler } = await import('../../terminal/text-width.ts');
  const { wrapped } = await createRuler();
  return (text, indent) => wrapped(text, columns - indent);
}

const asJson = (files: readonly VerifiedFile[], acceptance: Acceptance) => ({
  items: files.map((file) => fileAsJson(file, isAccepted(file, acceptance))),
});

function outcomeOf(
  files: readonly VerifiedFile[],
  acceptance: Acceptance,
  wrapped: PageOptions['wrapped'] | undefined,
  isExplained: boolean,
): Outcome {
  const json = asJson(files, acceptance);
  const exit = exitOf(files, acceptance);
  if (wrapped || isExplained) {
    const text = pageOf(files, { isExplained, wrapped: wrapped ?? unwrapped, acceptance });
    return { kind: 'text', json, text, exit };
  }
  return {
    kind: 'list',
    json,
    table: { columns: COLUMNS, rows: files.map(rowOf) },
    empty: 'No files.',
    exit,
  };
}

/** Sums up several signatures: it lists all names, and takes the last time and the lowest level. */
function rowOf(file: VerifiedFile) {
  const signed = file.signatures.filter(({ kind }) => kind === 'signature');
  const last = signed.at(-1);
  const lastTime = last && answersOf(last).isTimeProven ? last.proven : undefined;
  const levels = signed.map(({ level }) => level ?? '');
  const lowest = ['', 'B', 'T', 'LT', 'LTA'].find((level) => levels.includes(level as Level)) ?? '';
  return [
    file.path,
    file.verdict,
    signed.map(({ signer }) => signer?.name ?? '?').join('; '),
    instantOrNull(lastTime?.time) ?? '',
    lowest,
    foundFirst(file, last),
    decisionAsJson(file).sub_indication ?? '',
    signed.length === 0 ? '' : unchangedIn(file.signatures, file.faults),
    signed
      .map((signature) =>
        answersOf(signature).isSignerProven ? (signature.chain?.anchor?.certificate.name ?? '') : '',
      )
      .join('; '),
    lastTime?.by ?? '',
  ];
}

/** Why the file is not valid, or why its last signature has no higher level. */
function foundFirst(file: VerifiedFile, last: SignatureReport | undefined): string {
  const why = whyNotValid(file);
  if (why !== null) return why;
  return last && last.notHigher.length > 0 ? notHigherInWords(last.notHigher) : '';
}

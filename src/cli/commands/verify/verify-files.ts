// Verifies files one after the other and puts what was found into an outcome: a page for a person, a line a file for a
// pipe, or JSON. It must never stop at a file that is not valid while others wait.

import { LIMITS } from '../../../api/contract/limits.ts';
import { sha256Of } from '../../../common/sha256.ts';
import type { SignatureReport } from '../../../pdf/verify/verify.ts';
import { type Level, VERIFY_LIMITS } from '../../../pdf/verify/verify.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import type { Outcome } from '../../command/outcome.ts';
import { createFileReader, fileLabel } from '../../input/file-reader.ts';
import { parseInstant } from '../../input/instant.ts';
import { readPassword } from '../../input/password-file.ts';
import { type Acceptance, acceptanceOf, exitOf, isAccepted } from './acceptance.ts';
import { unchangedIn } from './answers.ts';
import { decisionAsJson, fileAsJson, instantOrNull } from './as-json.ts';
import { changedPictures } from './changed-pictures.ts';
import { etsiReport } from './etsi-report.ts';
import { htmlReport } from './html-report.ts';
import type { VerifyInput } from './options.ts';
import { type PageOptions, pageOf, unwrapped } from './page.ts';
import { policyIn } from './policy-file.ts';
import { faultSentenceOf, notHigherInWords } from './sentences.ts';
import { trustOf } from './trust.ts';
import { decisionOn, type VerifiedFile, type VerifyOptions, verifyFile } from './verified-file.ts';

type Parts = Uses<'connections' | 'process' | 'terminal'>;

export async function verifyFiles(context: Parts, { args, options }: VerifyInput): Promise<Outcome> {
  const paths = args.file;
  const { original: originalPath, 'password-file': passwordPath } = options;
  const wanted = [...paths, ...options.trust, options.policy, originalPath, passwordPath];
  if (wanted.filter((path) => path === '-').length > 1) throw cliError('stdin_twice');
  const acceptance = acceptanceOf(options);
  const now = options.at === undefined ? context.process.clock() : parseInstant('--at', options.at);
  const reader = createFileReader(context, VERIFY_LIMITS.fileBytes);
  const original =
    options.original === undefined
      ? undefined
      : { path: options.original, bytes: await reader.read(options.original) };
  const wish: VerifyOptions = {
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
    files.push(await verifyFile(path, bytes, wish));
  }
  const [only] = files;
  if (only && files.length === 1 && only.verdict === 'not_a_pdf') throw notAPdf(only.path);
  if (options.report !== undefined) {
    const text = options.report === 'etsi' ? etsiReport(files, now) : htmlReport(files, acceptance);
    return { kind: 'text', json: asJson(files, acceptance), text, exit: exitOf(files, acceptance) };
  }
  return outcomeOf(files, acceptance, await wrapperFor(context), options.explain);
}

const notAPdf = (path: string) => cliError('not_a_pdf', { file: fileLabel(path) });

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

/** Of several signatures the names are listed, and the last time and the lowest level count. */
function rowOf(file: VerifiedFile) {
  const signed = file.signatures.filter(({ kind }) => kind === 'signature');
  const last = signed.at(-1);
  const levels = signed.map(({ level }) => level ?? '');
  const lowest = ['', 'B', 'T', 'LT', 'LTA'].find((level) => levels.includes(level as Level)) ?? '';
  return [
    file.path,
    file.verdict,
    signed.map(({ signer }) => signer?.name ?? '?').join('; '),
    instantOrNull(last?.proven?.time) ?? '',
    lowest,
    foundFirst(file, last),
    decisionAsJson(file).sub_indication ?? '',
    signed.length === 0 ? '' : unchangedIn(file.signatures, file.faults),
    signed.map(({ chain }) => chain?.anchor?.certificate.name ?? '').join('; '),
    last?.proven?.by ?? '',
  ];
}

/** Verdicts for which nothing in the file is at fault. */
const WITHOUT_FAULT: Partial<Record<VerifiedFile['verdict'], string>> = {
  unsigned: 'The file has no signature.',
  damaged: 'The structure of the file cannot be read.',
  not_a_pdf: 'The file is not a PDF.',
};

/** Why the file is not valid, or why its last signature has no higher level. */
function foundFirst(file: VerifiedFile, last: SignatureReport | undefined): string {
  const { fault } = decisionOn(file);
  if (fault) return faultSentenceOf(fault);
  const reason = WITHOUT_FAULT[file.verdict];
  if (reason !== undefined) return reason;
  return last && last.notHigher.length > 0 ? notHigherInWords(last.notHigher) : '';
}

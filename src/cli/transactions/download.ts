// Brings the documents of a transaction onto this machine: for `tx download`, and for `tx send --wait --download`.
import { createHash } from 'node:crypto';
import type { ApiError } from '../../api/codec.ts';
import { fileTypeOf } from '../../api/contract/file-types.ts';
import type { Transaction } from '../../api/contract/transactions.ts';
import { checkEvidence, EVIDENCE_FILE, type Evidence } from '../../pdf/evidence.ts';
import type { Uses } from '../command/context.ts';
import { CliError, EXIT, StoppedOnTheWay } from '../command/errors.ts';
import type { Outcome } from '../command/outcome.ts';
import type { Connection } from '../connection/connection.ts';
import { fileStems, openFolder } from './output-folder.ts';
import { contentOf, documentName, outcomeOf } from './view.ts';

export type DownloadWish = { output?: string | undefined; original: boolean; evidence: boolean };

export type Downloaded = {
  path: string;
  document: string;
  kind: 'sealed' | 'original' | 'evidence';
  sha256: string;
  bytes: number;
};

type Context = Uses<'process' | 'settings' | 'terminal'>;

/** A file to fetch; `sha256` is what the service says it has. */
type Wanted = { id: string; name: string; document: string; kind: 'sealed' | 'original'; sha256?: string };

type File = Pick<Downloaded, 'document' | 'kind'> & { name: string; bytes: Uint8Array };

export async function download(
  context: Context,
  connection: Connection,
  transaction: Transaction,
  wish: DownloadWish,
): Promise<Downloaded[]> {
  const wanted = wish.original ? originals(transaction) : sealed(transaction);
  const folder = await openFolder(context, wish.output ?? '.', {
    isForced: context.settings.yes,
    force: '--yes',
  });
  const files: File[] = [];
  for (const one of wanted) {
    context.process.checkpoint();
    const bytes = await context.terminal.progress.step(`download ${one.name}`, () =>
      fetched(connection, one),
    );
    files.push({ name: one.name, document: one.document, kind: one.kind, bytes });
  }
  if (wish.evidence) files.push(await evidenceFile(files));
  // Nothing is written before it is certain that all of it can be.
  const missing: File[] = [];
  for (const file of files) if (!(await folder.holds(file.name, file.bytes))) missing.push(file);
  await folder.mustBeFree(missing.map(({ name }) => name));
  const downloaded: Downloaded[] = [];
  for (const file of files) {
    const { name, document, kind, bytes } = file;
    const path = missing.includes(file) ? await folder.write(name, bytes) : folder.pathOf(name);
    downloaded.push({ path, document, kind, sha256: sha256Of(bytes), bytes: bytes.length });
  }
  return downloaded;
}

/** What `tx send --wait --download` ends with: the outcome of waiting, and the files. */
export async function withDownloads<O extends Outcome>(
  context: Context,
  connection: Connection,
  transactionId: string,
  outcome: O,
  folder: string,
): Promise<O> {
  try {
    const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
    const wish = { output: folder, original: false, evidence: false };
    const files = await download(context, connection, transaction, wish);
    const notes = files.map(({ path }) => `downloaded: ${path}`);
    return {
      ...outcome,
      json: { ...(outcome.json as object), files },
      notes: [...(outcome.notes ?? []), ...notes],
    };
  } catch (error) {
    throw new StoppedOnTheWay(error, {
      partial: { id: transactionId },
      next: [{ command: `esign tx download ${transactionId}`, when: 'to try again; everybody has signed' }],
    });
  }
}

function sealed(transaction: Transaction): Wanted[] {
  const outcome = outcomeOf(transaction);
  if (outcome !== 'completed') throw notSealedYet(transaction, outcome);
  const documents = transaction.sealed_documents ?? [];
  if (documents.length === 0) throw notGiven(transaction.id);
  const stems = fileStems(documents.map(({ name }) => name));
  return documents.map(({ id, document, sha256 }, index) => ({
    id,
    name: `${stems[index]}.pdf`,
    document: document?.name ?? id,
    kind: 'sealed',
    ...(typeof sha256 === 'string' && { sha256 }),
  }));
}

function originals(transaction: Transaction): Wanted[] {
  const { documents } = contentOf(transaction);
  if (documents.length === 0)
    throw new CliError(`Transaction ${transaction.id} has no documents yet.`, {
      code: 'documents_missing',
      exit: EXIT.conflict,
      next: [{ command: `esign tx upload ${transaction.id} FILE`, when: 'to add one' }],
    });
  const stems = fileStems(documents.map(documentName));
  return documents.map((document, index) => ({
    id: document.file?.id ?? '',
    name: `${stems[index]}.pdf`,
    document: documentName(document),
    kind: 'original',
  }));
}

async function fetched({ client }: Connection, { id, name, sha256 }: Wanted): Promise<Uint8Array> {
  const bytes = await client['file.content']({ params: { fileId: id } }).then(
    (answer) => answer.bytes,
    (error: ApiError) => {
      const isUnknown = error.name === 'ApiError' && [404, 405, 501].includes(error.status);
      throw isUnknown ? notGiven(name) : error;
    },
  );
  const found = sha256Of(bytes);
  if (sha256 !== undefined && found !== sha256)
    throw new CliError(
      `"${name}" did not arrive as the service has it: its SHA-256 is ${found}, not ${sha256}.`,
      {
        code: 'download_damaged',
        exit: EXIT.network,
        retryable: true,
        hint: 'Nothing was written. Try again.',
      },
    );
  if (fileTypeOf(bytes) !== 'pdf')
    throw new CliError(`What the service answered for "${name}" is not a PDF.`, {
      code: 'download_not_pdf',
      exit: EXIT.network,
    });
  return bytes;
}

/** All sealed documents of a transaction carry the same. */
async function evidenceFile(files: readonly File[]): Promise<File> {
  const [first] = files;
  const { evidence, text } = await readEvidence(first?.kind === 'sealed' ? first.bytes : undefined);
  return {
    name: `${evidence.transaction.id}.${EVIDENCE_FILE}`,
    document: first?.document ?? '',
    kind: 'evidence',
    bytes: Buffer.from(text),
  };
}

/** The record of what happened, out of a sealed document. */
export async function evidenceOf(
  context: Pick<Context, 'terminal'>,
  connection: Connection,
  transaction: Transaction,
): Promise<Evidence> {
  const [first] = sealed(transaction);
  if (!first) throw notGiven(transaction.id);
  const bytes = await context.terminal.progress.step(`download ${first.name}`, () =>
    fetched(connection, first),
  );
  return (await readEvidence(bytes)).evidence;
}

async function readEvidence(pdf: Uint8Array | undefined): Promise<{ evidence: Evidence; text: string }> {
  const { evidenceIn } = await import('../../pdf/reader/embedded.ts');
  const text = pdf && evidenceIn(pdf);
  if (text === undefined)
    throw new CliError('The document carries no evidence.', {
      code: 'evidence_missing',
      exit: EXIT.notFound,
      hint: 'Only documents that were sealed by esign carry evidence: leave out --evidence.',
    });
  const checked = checkEvidence(text);
  if (!checked.ok)
    throw new CliError(`The evidence in the document is damaged (${checked.fault}).`, {
      code: 'evidence_damaged',
      exit: EXIT.endedBadly,
      hint: 'Check the document with `esign verify`.',
    });
  return { evidence: checked.evidence, text };
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function notSealedYet({ id }: Transaction, outcome: string): CliError {
  const isOpen = outcome === 'draft' || outcome === 'started';
  return new CliError(
    `Transaction ${id} is ${outcome}: ${isOpen ? 'it has no sealed documents yet.' : 'it has no sealed documents.'}`,
    {
      code: 'transaction_not_completed',
      exit: isOpen ? EXIT.conflict : EXIT.endedBadly,
      next: [
        ...(outcome === 'started' ? [{ command: `esign tx wait ${id}`, when: 'to wait until it is' }] : []),
        { command: `esign tx download ${id} --original`, when: 'for the documents as they were sent' },
      ],
    },
  );
}

const notGiven = (what: string) =>
  new CliError(`The service does not give the documents of "${what}" to download.`, {
    code: 'document_not_given',
    exit: EXIT.notFound,
    hint: 'Get them where the service offers them: on its own pages, or in the mail that it sends.',
  });

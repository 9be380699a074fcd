// Downloads the documents of a transaction, for `tx download` and for `tx send --wait --download`.

import type { ApiError } from '../../api/codec.ts';
import { fileTypeOf } from '../../api/contract/file-types.ts';
import type { ReceivedTransaction } from '../../api/contract/transactions.ts';
import { sha256Of } from '../../common/sha256.ts';
import { checkEvidence, type Evidence } from '../../pdf/write/certificate/evidence.ts';
import { EVIDENCE_FILE, evidenceIn } from '../../pdf/write/certificate/evidence-file.ts';
import type { Uses } from '../command/context.ts';
import { CliError, cliError, PartialFailure } from '../command/errors.ts';
import { EXIT } from '../command/exit-codes.ts';
import type { Outcome } from '../command/outcome.ts';
import { shellWord } from '../command/shell-word.ts';
import type { Connection } from '../connection/connection.ts';
import { checkFolder, fileStems, openFolder } from './output-folder.ts';
import { contentOfTransaction, documentName, outcomeOf, outcomePhrase } from './view.ts';

export type DownloadOptions = {
  output?: string | undefined;
  original: boolean;
  evidence: boolean;
  hint?: string;
};

export type DownloadedFile = {
  path: string;
  document: string;
  kind: 'sealed' | 'original' | 'evidence';
  sha256: string;
  bytes: number;
};

type Context = Uses<'process' | 'settings' | 'terminal'>;

/** A file to fetch; `sha256` is what the service says it has. */
type DocumentToFetch = {
  id: string;
  name: string;
  document: string;
  kind: 'sealed' | 'original';
  sha256?: string;
};

type File = Pick<DownloadedFile, 'document' | 'kind'> & { name: string; bytes: Uint8Array };

export async function download(
  context: Context,
  connection: Connection,
  transaction: ReceivedTransaction,
  options: DownloadOptions,
): Promise<DownloadedFile[]> {
  const wanted = options.original ? originalDocuments(transaction) : sealedDocuments(transaction);
  const folder = await openFolder(context, options.output ?? '.', {
    isForced: context.settings.yes,
    force: '--yes',
    hint: options.hint,
  });
  const files: File[] = [];
  for (const document of wanted) {
    context.process.checkpoint();
    const bytes = await context.terminal.progress.step(`download ${document.name}`, () =>
      fetchDocument(connection, document),
    );
    files.push({ name: document.name, document: document.document, kind: document.kind, bytes });
  }
  if (options.evidence) files.push(await readEvidenceFile(files));
  // Nothing is written before all names have been checked.
  const missing: File[] = [];
  for (const file of files) if (!(await folder.holds(file.name, file.bytes))) missing.push(file);
  await folder.mustBeFree(missing.map(({ name }) => name));
  const downloaded: DownloadedFile[] = [];
  for (const file of files) {
    const { name, document, kind, bytes } = file;
    const path = missing.includes(file) ? await folder.write(name, bytes) : folder.pathOf(name);
    downloaded.push({ path, document, kind, sha256: sha256Of(bytes), bytes: bytes.length });
  }
  return downloaded;
}

/** Downloads after `tx send --wait --download`, and adds the files to the outcome of waiting. */
export async function downloadAfterWait<O extends Outcome>(
  context: Context,
  connection: Connection,
  transactionId: string,
  outcome: O,
  folder: string,
): Promise<O> {
  try {
    const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
    const options = { output: folder, original: false, evidence: false, hint: SIGNED };
    const files = await download(context, connection, transaction, options);
    const notes = files.map(({ path }) => `Downloaded ${path}`);
    return {
      ...outcome,
      json: { ...(outcome.json as object), files },
      notes: [...(outcome.notes ?? []), ...notes],
    };
  } catch (error) {
    const command = `esign tx download ${transactionId} -o ${shellWord(folder)}`;
    const isTaken = error instanceof CliError && error.facts.code === 'file_exists';
    throw new PartialFailure(error, {
      partial: { id: transactionId },
      next: [
        isTaken
          ? { command: `${command} --yes`, when: 'to overwrite it' }
          : { command, when: 'to try again' },
      ],
    });
  }
}

const SIGNED =
  'The documents are signed. Download them into another directory with `esign tx download -o DIR`.';

/**
 * Checks before anything is sent that sealed documents can be written into a folder afterwards.
 * @param names of the files that are sent; a service may name the sealed ones in another way
 */
export const checkDownload = (
  context: Uses<'process' | 'settings'>,
  folder: string,
  names: readonly string[],
): Promise<void> =>
  checkFolder(
    context,
    folder,
    fileStems(names.map((name) => `${name.replace(/(?<=.)\.[^.]*$/, '')}.sealed.pdf`)).map(
      (stem) => `${stem}.pdf`,
    ),
    {
      isForced: context.settings.yes,
      force: '--yes',
      hint: 'Nothing was sent. Specify another directory with --download, or add --yes to overwrite files.',
    },
  );

function sealedDocuments(transaction: ReceivedTransaction): DocumentToFetch[] {
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

function originalDocuments(transaction: ReceivedTransaction): DocumentToFetch[] {
  const { documents } = contentOfTransaction(transaction);
  if (documents.length === 0) throw documentsMissing(transaction);
  const stems = fileStems(documents.map(documentName));
  return documents.map((document, index) => ({
    id: document.file?.id ?? '',
    name: `${stems[index]}.pdf`,
    document: documentName(document),
    kind: 'original',
  }));
}

export const documentsMissing = ({ id }: ReceivedTransaction): CliError =>
  cliError('documents_missing', {
    sentence: `Transaction ${id} has no documents yet.`,
    next: [{ command: `esign tx upload ${id} FILE`, when: 'to add one' }],
  });

async function fetchDocument(
  { client }: Connection,
  { id, name, sha256 }: DocumentToFetch,
): Promise<Uint8Array> {
  const bytes = await client['file.content']({ params: { fileId: id } }).then(
    (answer) => answer.bytes,
    (error: ApiError) => {
      const isUnknown = error.name === 'ApiError' && [404, 405, 501].includes(error.status);
      throw isUnknown ? notGiven(name) : error;
    },
  );
  const actual = sha256Of(bytes);
  if (sha256 !== undefined && actual !== sha256)
    throw cliError('download_damaged', {
      sentence: `The download of "${name}" is damaged: its SHA-256 is ${actual}, not ${sha256}.`,
      hint: 'No file was written. Try again.',
    });
  if (fileTypeOf(bytes) !== 'pdf')
    throw cliError('download_not_pdf', {
      sentence: `The service did not return a PDF for "${name}".`,
      hint: 'No file was written. Try again. To see what the service returns, use `esign api file.content`.',
    });
  return bytes;
}

/** Makes the file of the evidence, which all sealed documents of a transaction contain. */
async function readEvidenceFile(files: readonly File[]): Promise<File> {
  const [first] = files;
  const { evidence, text } = await readEvidence(first?.kind === 'sealed' ? first.bytes : undefined);
  return {
    name: `${evidence.transaction.id}.${EVIDENCE_FILE}`,
    document: first?.document ?? '',
    kind: 'evidence',
    bytes: Buffer.from(text),
  };
}

/** Downloads a sealed document, and reads the record of what happened. */
export async function fetchEvidence(
  context: Pick<Context, 'terminal'>,
  connection: Connection,
  transaction: ReceivedTransaction,
): Promise<Evidence> {
  const [first] = sealedDocuments(transaction);
  if (!first) throw notGiven(transaction.id);
  const bytes = await context.terminal.progress.step(`download ${first.name}`, () =>
    fetchDocument(connection, first),
  );
  return (await readEvidence(bytes)).evidence;
}

async function readEvidence(pdf: Uint8Array | undefined): Promise<{ evidence: Evidence; text: string }> {
  const text = pdf && evidenceIn(pdf);
  if (text === undefined)
    throw cliError('evidence_missing', {
      sentence: 'The document contains no evidence.',
      hint: 'Leave out --evidence. Only documents that esign has sealed contain evidence.',
    });
  const checked = checkEvidence(text);
  if (!checked.ok)
    throw cliError('evidence_damaged', {
      sentence: `The evidence in the document is damaged (${checked.fault}).`,
      hint: 'Check the document with `esign verify FILE`.',
    });
  return { evidence: checked.evidence, text };
}

function notSealedYet({ id }: ReceivedTransaction, outcome: string): CliError {
  const isOpen = outcome === 'draft' || outcome === 'started';
  return cliError('transaction_not_completed', {
    sentence: `Transaction ${id} is ${outcomePhrase(outcome)}. It has no sealed documents${isOpen ? ' yet' : ''}.`,
    next: [
      ...(outcome === 'started'
        ? [{ command: `esign tx wait ${id}`, when: 'to wait until it is completed' }]
        : []),
      { command: `esign tx download ${id} --original`, when: 'to download the documents as they were sent' },
    ],
    exit: isOpen ? EXIT.conflict : EXIT.endedBadly,
  });
}

const notGiven = (document: string) =>
  cliError('document_not_given', {
    sentence: `The service offers no download of "${document}".`,
    hint: 'Get the document from the dashboard or the email of the service.',
  });

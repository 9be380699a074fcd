// Reads and prints the remarks of a service about documents of which something could not be kept or shown. A person gets
// warnings, a job of GitHub Actions annotations; `--json` has them as data.
import type { ReceivedDocument } from '../../api/contract/received.ts';
import type { Uses } from '../command/context.ts';
import type { Table } from '../command/outcome.ts';

/** A remark in a response; everything is read leniently. */
export type DocumentRemark = { code: string; message: string; page?: number | undefined };

/** The remarks about one document, with its name. */
export type DocumentRemarks = { name: string; remarks: readonly DocumentRemark[] };

/** Reads the remarks of a response. Other services send none; anything that is not a remark is ignored. */
export function remarksIn(answer: { remarks?: unknown }): DocumentRemark[] {
  const { remarks } = answer;
  return Array.isArray(remarks) ? remarks.filter(isRemark) : [];
}

const isRemark = (value: unknown): value is DocumentRemark => {
  const { code, message } = (value ?? {}) as Partial<DocumentRemark>;
  return typeof code === 'string' && typeof message === 'string';
};

/** Codes of remarks about content that the signers would not see, though the sender's file has it. */
const LOSSES: ReadonlySet<string> = new Set(['content_not_shown']);

export const lossesIn = ({ remarks }: DocumentRemarks): DocumentRemark[] =>
  remarks.filter(({ code }) => LOSSES.has(code));

export function warnOfRemarks(
  { terminal: { actions, progress } }: Uses<'terminal'>,
  { name, remarks }: DocumentRemarks,
): void {
  for (const { code, message } of remarks) {
    const sentence = `${name}: ${message}`;
    if (actions) actions.warn(code, sentence);
    else progress.warn(sentence);
  }
}

export const readDocumentRemarks = (documents: readonly ReceivedDocument[]): DocumentRemarks[] =>
  documents
    .map((document) => ({ name: document.file?.original_name ?? document.id, remarks: remarksIn(document) }))
    .filter(({ remarks }) => remarks.length > 0);

/** Makes the table for a pipe: the document, the code, the page from 1, the sentence. */
export const remarkTable = (said: readonly DocumentRemarks[]): Table & { key: string } => ({
  key: 'remark',
  columns: ['DOCUMENT', 'CODE', 'PAGE', { name: 'REMARK', fit: 'wraps' }],
  rows: said.flatMap(({ name, remarks }) =>
    remarks.map(({ code, page, message }) => [
      name,
      code,
      page === undefined ? undefined : page + 1,
      message,
    ]),
  ),
});

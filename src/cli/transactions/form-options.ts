// Checks the options --form-fields and --form-to, and reads the forms where fields are made of them.
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import { cliError } from '../command/errors.ts';
import type { SearchedPdf } from './anchors.ts';
import type { FormFields } from './form-fields.ts';

export type FormSwitches = {
  'form-fields'?: boolean | undefined;
  'form-to'?: string | undefined;
  /** Whether --form-fields comes from the file of the project, which is for documents with and without forms. */
  mayBeMissing?: boolean;
};

/**
 * Reads the forms of documents. Undefined without --form-fields.
 * @param recipients how many there are who could fill in a form
 * @throws CliError exit 2 when nothing says who of several recipients fills them in
 */
export async function readForms(
  { 'form-fields': isWanted, 'form-to': recipient, mayBeMissing = false }: FormSwitches,
  recipients: number,
  { pdfs, mayChange }: { pdfs: () => Promise<readonly (SearchedPdf | undefined)[]>; mayChange: boolean },
  documents: DocumentEngine,
): Promise<FormFields | undefined> {
  if (!isWanted && recipient !== undefined)
    throw cliError('options_conflict', { option: '--form-to', needs: '--form-fields' });
  if (!isWanted) return undefined;
  const isUnclear = recipient === undefined && recipients !== 1;
  if (isUnclear && !mayBeMissing) throw cliError('form_recipient_missing', { count: recipients });
  const { readFormFields } = await import('./form-fields.ts');
  const read = await readFormFields(await pdfs(), { recipient, mayChange, mayBeMissing }, documents);
  if (isUnclear && read.fields.length > 0) throw cliError('form_recipient_missing', { count: recipients });
  return read;
}

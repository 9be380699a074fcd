// The content of a preview, from files or from a transaction: documents as PDF, the people, and the fields with the names of the contract.
import type { PdfContent } from '../../../input/as-pdf.ts';
import type { FieldWarning } from '../../../transactions/field-warnings.ts';
import type { OmittedSuggestions, SuggestedField } from '../../../transactions/suggestions.ts';

export type PreviewedDocument = PdfContent & { id: string; name: string };

export type PreviewedField = {
  document_id?: string | null | undefined;
  recipient_id?: string | null | undefined;
  page: number;
  positionX: number;
  positionY: number;
  width: number;
  height: number;
  type: string;
  label?: string | undefined;
  is_required?: boolean | undefined;
};

/** `email` is absent for the signer of a preview without recipients. */
export type PreviewedPerson = { id: string; name: string; email?: string; color: string };

export type PreviewContent = {
  /** Of the transaction; null for files. */
  id: string | null;
  documents: readonly PreviewedDocument[];
  people: readonly PreviewedPerson[];
  fields: readonly PreviewedField[];
  /** Warnings about the places of fields. */
  warnings: readonly FieldWarning[];
  suggested?: PreviewedSuggestions | undefined;
};

export type PreviewedSuggestions = {
  fields: readonly SuggestedField[];
  /** For each of them the value of --field; null where another option makes it. */
  specs: readonly (string | null)[];
  /** Those for more people than there are. */
  omitted: OmittedSuggestions;
};

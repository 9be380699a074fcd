// What the page brings along: the fields, and the recipients, documents and types that a field can have.

/** A field as the service takes it. Properties that the editor does not show stay as they are. */
export type EditedField = {
  id: string;
  document_id: string;
  recipient_id: string;
  /** From 0. */
  page: number;
  /** Of the top left corner, in points from that of the page. */
  positionX: number;
  positionY: number;
  width: number;
  height: number;
  type: string;
  label: string;
  is_required: boolean;
  font_size: number;
  helper_text: string;
  options: string[];
  value: string | number | boolean | null;
  readonly: boolean;
  min_length: number | null;
  max_length: number | null;
  min_value: number | null;
  max_value: number | null;
  date_format: string;
  date_language: string;
};

export type EditedRecipient = { id: string; name: string; role: string; color: string };
export type EditedPage = { id: string; width: number; height: number };
export type EditedDocument = { id: string; name: string; pages: EditedPage[] };
export type FieldKind = { type: string; name: string; width: number; height: number };

/** The fields at one time, as the service has saved them. */
export type Saved = { revision: string; parties: string; fields: EditedField[] };

export type EditedDraft = Saved & {
  path: string;
  token: { name: string; value: string };
  recipients: EditedRecipient[];
  documents: EditedDocument[];
  types: FieldKind[];
  /** The first is that of new fields. */
  dateFormats: string[];
  /** Codes with names. The first is that of new fields. */
  dateLanguages: (readonly [code: string, name: string])[];
  /** The value of a date that the service fills in when its recipient signs. */
  today: string;
};

/** @param root the element of the page that has them */
export const readDraft = (root: { dataset: Readonly<Record<string, string | undefined>> }): EditedDraft =>
  JSON.parse(root.dataset.editor ?? '{}') as EditedDraft;

/** A page by its place in a draft. */
export type PlacedPage = EditedPage & { document: EditedDocument; index: number };

export const pagesOf = ({ documents }: EditedDraft): PlacedPage[] =>
  documents.flatMap((document) => document.pages.map((page, index) => ({ ...page, document, index })));

export function findEditedPage(
  { documents }: EditedDraft,
  field: Pick<EditedField, 'document_id' | 'page'>,
): EditedPage | undefined {
  return documents.find(({ id }) => id === field.document_id)?.pages[field.page];
}

export const nameOfType = ({ types }: EditedDraft, type: string): string =>
  types.find((kind) => kind.type === type)?.name ?? type;

/** `Signature for Ada, page 2` */
export function describe(draft: EditedDraft, field: EditedField): string {
  const recipient = draft.recipients.find(({ id }) => id === field.recipient_id);
  const label = field.label === '' || field.label === field.type ? '' : ` “${field.label}”`;
  const document = draft.documents.find(({ id }) => id === field.document_id);
  const place = draft.documents.length > 1 ? ` of ${document?.name}` : '';
  return `${nameOfType(draft, field.type)}${label} for ${recipient?.name ?? 'nobody'}, page ${field.page + 1}${place}`;
}

/** Page by page through the documents, and on each from top to bottom. */
export function fieldsByPlace(draft: EditedDraft, fields: readonly EditedField[]): EditedField[] {
  const documents = new Map(draft.documents.map(({ id }, index) => [id, index]));
  const place = (field: EditedField) => [
    documents.get(field.document_id) ?? 0,
    field.page,
    field.positionY,
    field.positionX,
  ];
  return [...fields].sort((one, other) => {
    const [a, b] = [place(one), place(other)];
    const at = a.findIndex((value, index) => value !== b[index]);
    return at < 0 ? 0 : a[at]! - b[at]!;
  });
}

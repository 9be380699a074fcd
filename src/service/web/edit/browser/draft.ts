// Reads what the page brings along: the fields, and the recipients, documents and types that a field can have. Merges what two people
// have changed in the same fields.
/** The service takes fields in this form. Properties that the editor does not show stay as they are. */
export type EditedField = {
  id: string;
  document_id: string;
  recipient_id: string;
  /** Pages count from 0. */
  page: number;
  /** The position is that of the top left corner, in points from that of the page. */
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

type EditedRecipient = { id: string; name: string; role: string; color: string };
export type EditedPage = { id: string; width: number; height: number };
export type EditedDocument = { id: string; name: string; pages: EditedPage[] };
type FieldKind = { type: string; name: string; width: number; height: number };

/** The service has saved these fields under this revision. */
export type Saved = { revision: string; parties: string; fields: EditedField[] };

export type EditedDraft = Saved & {
  path: string;
  token: { name: string; value: string };
  recipients: EditedRecipient[];
  documents: EditedDocument[];
  types: FieldKind[];
  /** A new field gets the first. */
  dateFormats: string[];
  /** A new field gets the first language. */
  dateLanguages: (readonly [code: string, name: string])[];
  /** A date with this value is filled in by the service when its recipient signs. */
  today: string;
};

/** @param root the element of the page that has them */
export const readDraft = (root: { dataset: Readonly<Record<string, string | undefined>> }): EditedDraft =>
  JSON.parse(root.dataset.editor ?? '{}') as EditedDraft;

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

/** Describes a field, such as `Signature for Ada, page 2`. */
export function describe(draft: EditedDraft, field: EditedField): string {
  const recipient = draft.recipients.find(({ id }) => id === field.recipient_id);
  const label = field.label === '' || field.label === field.type ? '' : ` “${field.label}”`;
  const document = draft.documents.find(({ id }) => id === field.document_id);
  const place = draft.documents.length > 1 ? ` of ${document?.name}` : '';
  return `${nameOfType(draft, field.type)}${label} for ${recipient?.name ?? 'nobody'}, page ${field.page + 1}${place}`;
}

/** Sorts fields page by page through the documents, and on each page from top to bottom. */
export function fieldsByPlace(draft: EditedDraft, fields: readonly EditedField[]): EditedField[] {
  const documents = new Map(draft.documents.map(({ id }, index) => [id, index]));
  const place = (field: EditedField) => [
    documents.get(field.document_id) ?? 0,
    field.page,
    field.positionY,
    field.positionX,
  ];
  return [...fields].sort((field, other) => {
    const [a, b] = [place(field), place(other)];
    const at = a.findIndex((value, index) => value !== b[index]);
    return at < 0 ? 0 : a[at]! - b[at]!;
  });
}

/**
 * `lost` has the fields that both have changed, as this person had them; `fields` has them as the other person saved them.
 */
type Merged = { fields: EditedField[]; lost: EditedField[] };

/** @param base what both began with */
export function mergeFields(
  base: readonly EditedField[],
  mine: readonly EditedField[],
  theirs: readonly EditedField[],
): Merged {
  const [baseById, mineById, theirsById] = [base, mine, theirs].map(
    (fields) => new Map(fields.map((field) => [field.id, field])),
  ) as [FieldMap, FieldMap, FieldMap];
  const lost: EditedField[] = [];
  const merged = theirs.flatMap((their): EditedField[] => {
    const [before, my] = [baseById.get(their.id), mineById.get(their.id)];
    if (before === undefined || same(my, before)) return [their];
    if (same(their, before)) return my ? [my] : [];
    if (my && !same(my, their)) lost.push(my);
    return [their];
  });
  for (const my of mine) {
    if (theirsById.has(my.id)) continue;
    const before = baseById.get(my.id);
    if (before === undefined) merged.push(my);
    else if (!same(my, before)) lost.push(my);
  }
  return { fields: merged, lost };
}

type FieldMap = Map<string, EditedField>;

export const same = (field: EditedField | undefined, other: EditedField | undefined): boolean =>
  field === other || (field !== undefined && other !== undefined && sorted(field) === sorted(other));

const sorted = (field: EditedField): string =>
  JSON.stringify(Object.entries(field).sort(([name], [other]) => (name < other ? -1 : 1)));

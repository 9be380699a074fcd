// Turns what the service suggests into fields that can be taken, and tells which of them are still to be offered.
import { newField } from './boxes.ts';
import type { EditedDocument, EditedDraft, EditedField } from './draft.ts';

/** As the service sends it; lengths are points of the displayed page. */
export type SuggestedBox = {
  from: 'line' | 'form' | 'tag';
  type: string;
  /** From 0. */
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
  properties: Partial<EditedField>;
  /** The position of the person it is for, as the document asks for them. */
  signer: number;
  /** The document does not say whose it is. */
  is_guessed: boolean;
};

/** A field that is not there yet. */
export type Suggested = { from: SuggestedBox['from'] | 'words'; field: EditedField; isGuessed?: boolean };

/** What a suggestion may set: the rest is the editor's own. */
const PROPERTIES = [
  'label',
  'is_required',
  'font_size',
  'helper_text',
  'options',
  'value',
  'min_length',
  'max_length',
  'min_value',
  'max_value',
] as const;

/** @param otherwise the recipient of what the document asks of more people than there are */
export function suggestedField(
  draft: EditedDraft,
  document: EditedDocument,
  { from, properties, signer, is_guessed, ...box }: SuggestedBox,
  otherwise: string,
): Suggested {
  const signers = draft.recipients.filter(({ role }) => role === 'signer');
  const recipient_id = signers[signer]?.id ?? otherwise;
  const field = newField(draft, { ...box, recipient_id, document_id: document.id });
  const given = Object.fromEntries(
    PROPERTIES.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]])),
  );
  return { from, field: { ...field, ...given }, isGuessed: is_guessed };
}

/** Those with no field in their place. */
export const openSuggestions = (
  suggested: readonly Suggested[],
  fields: readonly EditedField[],
): Suggested[] => suggested.filter(({ field }) => !fields.some((one) => isInPlaceOf(one, field)));

/** In points: fields that only touch stand beside each other. */
const TOUCHING = 2;

const isInPlaceOf = (one: EditedField, other: EditedField): boolean =>
  one.document_id === other.document_id &&
  one.page === other.page &&
  one.positionX + TOUCHING < other.positionX + other.width &&
  other.positionX + TOUCHING < one.positionX + one.width &&
  one.positionY + TOUCHING < other.positionY + other.height &&
  other.positionY + TOUCHING < one.positionY + one.height;

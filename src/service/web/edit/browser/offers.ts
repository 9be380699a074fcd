// Holds the fields that are offered on the page: what the documents seem to ask for, and what was found by its words. A suggestion becomes a
// field that can be taken, and is offered as long as no field is in its place.
import { newField } from './boxes.ts';
import { type EditedDocument, type EditedDraft, type EditedField, nameOfType } from './draft.ts';
import type { Editor } from './editor.ts';
import { type FoundPlace, fetchSuggestions, fetchWords, type SuggestedBox } from './requests.ts';

type Offers = {
  /** Lists the suggestions that have no field in their place. */
  open(): Suggested[];
  load(): Promise<void>;
  /** Offers fields at words. @returns what is to be said about it */
  search(text: string): Promise<string>;
};

/** @param onLoad called when there are others */
export function createOffers(editor: Editor, onLoad: () => void): Offers {
  const { draft } = editor;
  let ofDocuments: Suggested[] = [];
  let ofWords: Suggested[] = [];
  return {
    open: () => openSuggestions([...ofDocuments, ...ofWords], editor.fields()),
    async load() {
      for (const document of draft.documents) {
        const boxes = await fetchSuggestions(draft, document.id);
        const otherwise = editor.recipientId();
        ofDocuments = [
          ...ofDocuments,
          ...boxes.map((box) => suggestedField(draft, document, box, otherwise)),
        ];
        onLoad();
      }
    },
    async search(text) {
      const matches: Suggested[] = [];
      for (const document of draft.documents)
        for (const words of await fetchWords(draft, document.id, text))
          matches.push({ from: 'words', field: fieldAtWords(editor, document.id, words) });
      ofWords = matches;
      onLoad();
      return sentenceOf(matches.length, text, nameOfType(draft, typeFor(editor)));
    },
  };
}

/** At words, a field of the chosen type is offered, or a signature. */
const typeFor = (editor: Editor): string => editor.type() ?? 'signature';

const fieldAtWords = (editor: Editor, document_id: string, { page, x, y }: FoundPlace) =>
  newField(editor.draft, {
    ...{ type: typeFor(editor), recipient_id: editor.recipientId(), document_id },
    ...{ page, x, y },
  });

function sentenceOf(count: number, text: string, type: string): string {
  if (count === 0) return `“${text}” is not in the text of the documents.`;
  const where = count === 1 ? '1 place' : `${count} places`;
  return `Found at ${where}. Press a suggestion to put a field there (${type}).`;
}

export type Suggested = { from: SuggestedBox['from'] | 'words'; field: EditedField; isGuessed?: boolean };

/** A suggestion may set these properties; the editor sets the others. */
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
  const suggested = Object.fromEntries(
    PROPERTIES.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]])),
  );
  return { from, field: { ...field, ...suggested }, isGuessed: is_guessed };
}

/** Lists the suggestions that have no field in their place. */
export const openSuggestions = (
  suggested: readonly Suggested[],
  fields: readonly EditedField[],
): Suggested[] => suggested.filter(({ field }) => !fields.some((other) => isInPlaceOf(other, field)));

/** Fields that overlap by no more points than this stand beside each other. */
const TOUCHING = 2;

const isInPlaceOf = (field: EditedField, other: EditedField): boolean =>
  field.document_id === other.document_id &&
  field.page === other.page &&
  field.positionX + TOUCHING < other.positionX + other.width &&
  other.positionX + TOUCHING < field.positionX + field.width &&
  field.positionY + TOUCHING < other.positionY + other.height &&
  other.positionY + TOUCHING < field.positionY + field.height;

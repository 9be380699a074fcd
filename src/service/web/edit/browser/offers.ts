// Holds the fields that are offered on the page: what the documents seem to ask for, and what was found by its words.
import { newField } from './boxes.ts';
import { nameOfType } from './draft.ts';
import type { Editor } from './editor.ts';
import { type FoundPlace, fetchSuggestions, fetchWords } from './requests.ts';
import { openSuggestions, type Suggested, suggestedField } from './suggested.ts';

export type Offers = {
  /** Those without a field in their place. */
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
        const found = await fetchSuggestions(draft, document.id);
        const otherwise = editor.recipientId();
        ofDocuments = [
          ...ofDocuments,
          ...found.map((one) => suggestedField(draft, document, one, otherwise)),
        ];
        onLoad();
      }
    },
    async search(text) {
      const found: Suggested[] = [];
      for (const document of draft.documents)
        for (const words of await fetchWords(draft, document.id, text))
          found.push({ from: 'words', field: fieldAtWords(editor, document.id, words) });
      ofWords = found;
      onLoad();
      return sentenceOf(found.length, text, nameOfType(draft, typeFor(editor)));
    },
  };
}

/** A field of the type that is chosen, or a signature, at words. */
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

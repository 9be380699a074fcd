// Offers a person who gave no field those that the documents seem to ask for. Nothing is taken without a yes.
import type { DocumentEngine } from '../../../../pdf/engine/engine.ts';
import type { Uses } from '../../../command/context.ts';
import type { PlacedField } from '../../../input/field-spec.ts';
import type { Addressee } from '../../../input/person.ts';
import { safeText } from '../../../terminal/safe-text.ts';
import type { SearchedPdf } from '../../../transactions/anchors.ts';
import {
  fieldOfSuggestion,
  type SuggestedField,
  sentenceOfGuesses,
  sentenceOfOmitted,
  suggestForDocuments,
} from '../../../transactions/suggestions.ts';

export type AcceptedSuggestions = {
  fields: PlacedField[];
  /** Whether the forms of the documents are to become fields, as with --form-fields. */
  takesForms: boolean;
};

/** More would push the first ones off the screen. */
const MOST_SHOWN = 20;

const NOTHING: AcceptedSuggestions = { fields: [], takesForms: false };

export async function offerSuggestions(
  { prompts, terminal }: Uses<'prompts' | 'terminal'>,
  to: readonly Addressee[],
  pdfs: readonly (SearchedPdf | undefined)[],
  documents: DocumentEngine,
): Promise<AcceptedSuggestions> {
  const { suggested: all, omitted } = await suggestForDocuments(pdfs, to, documents);
  // Tags are removed when they are used, and a form of several people needs to be told whose it is: both have an option.
  const suggested = all.filter(({ from }) => from === 'line' || (from === 'form' && to.length === 1));
  if (suggested.length === 0) return NOTHING;
  const several = pdfs.length > 1;
  const lines = suggested.slice(0, MOST_SHOWN).map((one) => `  ${describeSuggestion(one, to, several)}`);
  const rest = suggested.length - lines.length;
  const guesses = sentenceOfGuesses(suggested);
  const { progress, streams } = terminal;
  progress.flush();
  // Printed with --quiet as well: a person who confirms must see what will be added.
  for (const line of [
    'Likely fields in the text:',
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...(omitted.length > 0 ? [sentenceOfOmitted(omitted)] : []),
    ...(guesses === undefined ? [] : [guesses]),
  ])
    streams.err.write(`${safeText(line)}\n`);
  const question = suggested.length === 1 ? 'Add this field?' : `Add these ${suggested.length} fields?`;
  if (!(await prompts.confirm(question, { otherwise: guesses === undefined }))) return NOTHING;
  return {
    fields: suggested.filter(({ from }) => from === 'line').map(fieldOfSuggestion),
    takesForms: suggested.some(({ from }) => from === 'form'),
  };
}

/** Describes a field: `signature for Ada, page 2: "Signature of the landlord"`. */
function describeSuggestion(
  { type, page, recipient, name, properties, words, isGuessed }: SuggestedField,
  to: readonly Addressee[],
  several: boolean,
): string {
  const { name: person, email } = to[recipient] ?? { name: '', email: '' };
  const text = words?.text ?? (typeof properties.label === 'string' ? properties.label : '');
  const where = several ? `page ${page + 1} of ${name}` : `page ${page + 1}`;
  const guess = isGuessed ? ' (guessed by order)' : '';
  return `${type} for ${person || email}${guess}, ${where}${text === '' ? '' : `: "${text}"`}`;
}

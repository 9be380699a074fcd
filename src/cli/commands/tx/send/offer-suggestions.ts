// Offers a person who gave no field those that the documents seem to ask for. Nothing is taken without a yes.
import type { DocumentEngine } from '../../../../pdf/engine/engine.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
import { type GivenField, isAnchored, parseFieldSpec } from '../../../input/field-spec.ts';
import type { Addressee } from '../../../input/person.ts';
import type { Choice } from '../../../terminal/prompts.ts';
import type { SearchedPdf } from '../../../transactions/anchors.ts';
import {
  fieldOfSuggestion,
  type SuggestedField,
  sentenceOfGuesses,
  sentenceOfOmitted,
  specsOf,
  suggestForDocuments,
} from '../../../transactions/suggestions.ts';

export type AcceptedSuggestions = {
  fields: GivenField[];
  /** Whether the forms of the documents are to become fields, as with --form-fields. */
  takesForms: boolean;
  /** True if the fields are edited in the browser before anything is sent, as with --edit. */
  isEdited: boolean;
};

/** `next`: what follows the answer. Only a confirmation or a draft leaves a way back. */
export type OfferOptions = {
  to: readonly Addressee[];
  next: 'send' | 'draft' | 'confirm';
  /** True if the service converts the document: only fields at words are then where they should be. */
  isConverted: (suggested: SuggestedField) => boolean;
};

type Answer = 'add' | 'omit' | 'edit' | 'stop';

/** More would push the first ones off the screen. */
const MOST_SHOWN = 20;

const NOTHING: AcceptedSuggestions = { fields: [], takesForms: false, isEdited: false };

/** @throws CliError `not_confirmed` where the person stops */
export async function offerSuggestions(
  { prompts, terminal }: Uses<'prompts' | 'terminal'>,
  pdfs: readonly (SearchedPdf | undefined)[],
  documents: DocumentEngine,
  { to, next, isConverted }: OfferOptions,
): Promise<AcceptedSuggestions> {
  const { suggested: all, omitted } = await suggestForDocuments(pdfs, to, documents);
  // Tags are removed when they are used, and a form of several people needs to be told whose it is: both have an option.
  const fields = await fieldsOf(
    all.filter(({ from }) => from === 'line'),
    { pdfs, recipients: to.length, isConverted, documents },
  );
  const suggested = all.filter((one) => fields.has(one) || (one.from === 'form' && to.length === 1));
  if (suggested.length === 0) return NOTHING;
  const several = pdfs.length > 1;
  const lines = suggested.slice(0, MOST_SHOWN).map((one) => `  ${describeSuggestion(one, to, several)}`);
  const rest = suggested.length - lines.length;
  const guesses = sentenceOfGuesses(suggested);
  terminal.showAlways([
    'Likely fields in the text:',
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...(omitted.length > 0 ? [sentenceOfOmitted(omitted)] : []),
    ...(guesses === undefined ? [] : [guesses]),
  ]);
  const question = suggested.length === 1 ? 'Add this field?' : `Add these ${suggested.length} fields?`;
  const choices = choicesOf(next, suggested.length === 1 ? 'it' : 'them', terminal.isForPerson);
  // Enter alone neither sends anything nor takes a guess.
  const isSafe = next !== 'send' && guesses === undefined;
  const otherwise = isSafe ? 'add' : terminal.isForPerson ? 'edit' : 'stop';
  const answer = await prompts.choose<Answer>(question, '--field SPEC', choices, otherwise);
  if (answer === 'stop') throw cliError('not_confirmed');
  if (answer === 'omit') return NOTHING;
  return {
    fields: [...fields.values()],
    takesForms: suggested.some(({ from }) => from === 'form'),
    isEdited: answer === 'edit',
  };
}

type FieldContext = {
  pdfs: readonly (SearchedPdf | undefined)[];
  recipients: number;
  isConverted: OfferOptions['isConverted'];
  documents: DocumentEngine;
};

/** Makes the fields of lines. On a document that the service converts they are at words, or there are none. */
async function fieldsOf(
  suggested: readonly SuggestedField[],
  { pdfs, recipients, isConverted, documents }: FieldContext,
): Promise<Map<SuggestedField, GivenField>> {
  const counts = { recipients, documents: pdfs.length };
  const fields = new Map<SuggestedField, GivenField>();
  for (const suggestion of suggested) {
    if (!isConverted(suggestion)) fields.set(suggestion, fieldOfSuggestion(suggestion));
    else {
      const [spec] = await specsOf([suggestion], pdfs, counts, documents);
      const field = spec === undefined ? undefined : parseFieldSpec(spec);
      if (field && isAnchored(field)) fields.set(suggestion, { ...field, isSuggested: true });
    }
  }
  return fields;
}

/** @param canEdit whether the command can wait for the browser */
function choicesOf(next: OfferOptions['next'], them: string, canEdit: boolean): Choice<Answer>[] {
  const [add, omit] = {
    send: [`Add ${them} and send`, `Send without ${them}`],
    draft: [`Add ${them} and create the draft`, `Create the draft without ${them}`],
    confirm: [`Add ${them}`, `Continue without ${them}`],
  }[next] as [string, string];
  return [
    { value: 'add', name: add },
    { value: 'omit', name: omit, description: OMITTED },
    ...(canEdit
      ? [{ value: 'edit' as const, name: `Add ${them} and edit in the browser`, description: EDITED[next] }]
      : []),
    { value: 'stop', name: 'Stop', description: 'Nothing is sent.' },
  ];
}

const OMITTED = 'Each signer gets one signature field, below the text of the last page.';

const SENT_WHEN_DONE = 'The document is sent when you press Done in the editor.';
const EDITED: Record<OfferOptions['next'], string> = {
  send: SENT_WHEN_DONE,
  confirm: SENT_WHEN_DONE,
  draft: 'Nothing is sent.',
};

/** Describes a field: `date (required) for Ada, page 2: "Date"`. A signature always is. */
function describeSuggestion(
  { type, page, recipient, name, properties, words, isGuessed }: SuggestedField,
  to: readonly Addressee[],
  several: boolean,
): string {
  const { name: person, email } = to[recipient] ?? { name: '', email: '' };
  const text = words?.text ?? (typeof properties.label === 'string' ? properties.label : '');
  const where = several ? `page ${page + 1} of ${name}` : `page ${page + 1}`;
  const guess = isGuessed ? ' (guessed by order)' : '';
  const need = type === 'signature' ? '' : properties.is_required === false ? ' (optional)' : ' (required)';
  return `${type}${need} for ${person || email}${guess}, ${where}${text === '' ? '' : `: "${text}"`}`;
}

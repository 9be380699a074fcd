// Prints suggested fields as options of `esign tx send`, to be copied.
import type { ListOutcome, Outcome } from '../../../command/outcome.ts';
import {
  quotedForShell,
  type SuggestedField,
  sentenceOfGuesses,
  sentenceOfOmitted,
} from '../../../transactions/suggestions.ts';
import type { PreviewContent, PreviewedSuggestions } from './content.ts';

export function withSuggestions(
  outcome: ListOutcome,
  { documents }: PreviewContent,
  suggested: PreviewedSuggestions,
): Outcome {
  return {
    ...outcome,
    json: { ...(outcome.json as object), suggestions: jsonOf(suggested) },
    notes: notesOf(
      suggested,
      documents.map(({ name }) => name),
    ),
  };
}

const jsonOf = ({ fields, specs }: PreviewedSuggestions) =>
  fields.map(({ from, type, name, page, box, properties, recipient, isGuessed }, index) => ({
    ...{ from, type, label: properties.label ?? type, document: name, page, ...box },
    ...{ recipient: recipient + 1, is_guessed: isGuessed },
    field: specs[index] ?? null,
  }));

function notesOf({ fields, specs, omitted }: PreviewedSuggestions, names: readonly string[]): string[] {
  if (fields.length + omitted.length === 0)
    return [
      `No lines for signatures, forms or tags were found in ${names.map((name) => `"${name}"`).join(' and ')}.`,
    ];
  const options = specs.flatMap((spec) => (spec === null ? [] : [`--field ${quotedForShell(spec)}`]));
  const guesses = sentenceOfGuesses(fields);
  const has = (from: SuggestedField['from']) => fields.some((field) => field.from === from);
  if (has('form')) options.push('--form-fields');
  if (has('tag')) options.push('--tags');
  return [
    'To make the suggested fields, add to `esign tx send`:',
    ...options.map((option) => `  ${option}`),
    ...(omitted.length > 0 ? [sentenceOfOmitted(omitted)] : []),
    ...(guesses === undefined ? [] : [guesses]),
  ];
}

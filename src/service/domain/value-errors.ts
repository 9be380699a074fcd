// Everything that can be wrong with a value of a recipient, as data, and the English sentences of the API for it.
import type { Field } from './transaction.ts';

export type ValueError =
  | {
      rule:
        | 'required'
        | 'ticked'
        | 'boolean'
        | 'option'
        | 'email'
        | 'date'
        | 'number'
        | 'drawing'
        | 'pattern'
        | 'unusable_pattern'
        | 'readonly';
    }
  /** `characters` with spaces between them. */
  | { rule: 'characters'; characters: string }
  /** The date of signing, which the recipient was shown as another day, or not at all. */
  | { rule: 'date_of_signing'; day: string }
  | { rule: 'min_value' | 'max_value' | 'min_length' | 'max_length'; limit: number };

/** To follow the label of the field. */
export function valueErrorMessage(complaint: ValueError, { options }: Pick<Field, 'options'>): string {
  switch (complaint.rule) {
    case 'min_value':
      return `must be at least ${complaint.limit}`;
    case 'max_value':
      return `must be at most ${complaint.limit}`;
    case 'min_length':
      return `must have at least ${complaint.limit} characters`;
    case 'max_length':
      return `must have at most ${complaint.limit} characters`;
    case 'characters':
      return `contains characters that cannot be written into the document: ${complaint.characters}`;
    case 'date_of_signing':
      return `is the date of signing, which is ${complaint.day} now. Show this date to the recipient and submit it as the value`;
    case 'option':
      return `must be one of ${options.map((option) => `"${option}"`).join(', ')}`;
    default:
      return SENTENCES[complaint.rule];
  }
}

const SENTENCES = {
  readonly: 'was filled in by the sender and cannot be changed',
  required: 'is required',
  ticked: 'must be checked',
  boolean: 'must be true or false',
  email: 'must be a valid email address',
  date: 'must be a date in the form YYYY-MM-DD',
  number: 'must be a number',
  drawing: 'must be a PNG drawing or a typed name',
  pattern: 'does not have the required form',
  unusable_pattern:
    'cannot be checked, because its pattern is no longer supported. Ask the sender to send the document again',
} as const;

// Wrong values as people read them: the path of each, then what is wrong with it. The service and the command line use the
// same words.
import type { FieldError } from './problems.ts';

/** How a message begins that makes a sentence with its path as the subject. */
const VERB = /^(must|is|are|has|does|cannot|contains?) /;

/** `name must not be empty`, but `recipients.0.email: "x" is not a valid email address`. Without a full stop. */
export function inWords({ path, message }: FieldError): string {
  if (!path) return message;
  return VERB.test(message) ? `${path} ${message}` : `${path}: ${message}`;
}

/** The first few as sentences, and how many more there are. */
export function inSentences(errors: readonly FieldError[], shown: number): string {
  const more = errors.length - shown;
  const sentences = errors.slice(0, shown).map((item) => `${inWords(item).replace(/[.\s]+$/, '')}.`);
  if (more > 0) sentences.push(`${more} more ${more === 1 ? 'value is' : 'values are'} not valid.`);
  return sentences.join(' ');
}

// Says in words which values of a request are wrong: the path of each, then its fault. The service and the command line use the same words;
// messages that the schema library writes itself never reach a reader.

import type * as z from 'zod';
import type { FieldError } from './problems.ts';

/** A message that begins like this makes a sentence with its path as the subject. */
const VERB = /^(must|is|are|has|does|cannot|contains?) /;

/** `name must not be empty`, but `recipients.0.email: "x" is not a valid email address`. Without a full stop. */
export function inWords({ path, message }: FieldError): string {
  if (!path) return message;
  return VERB.test(message) ? `${path} ${message}` : `${path}: ${message}`;
}

/** Writes the first few as sentences, then how many more there are. */
export function inSentences(errors: readonly FieldError[], shown: number): string {
  const more = errors.length - shown;
  const sentences = errors.slice(0, shown).map((item) => `${inWords(item).replace(/[.\s]+$/, '')}.`);
  if (more > 0) sentences.push(`${more} more ${more === 1 ? 'value is' : 'values are'} not valid.`);
  return sentences.join(' ');
}

type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, string>> = {
  array: 'must be an array',
  boolean: 'must be true or false',
  int: 'must be a whole number',
  number: 'must be a number',
  object: 'must be an object',
  string: 'must be a string',
};

/** A value of the wrong type is reported once: its length says nothing. */
export function wrongValuesIn(issues: readonly Issue[]): FieldError[] {
  const ofWrongType = new Set(issues.filter(isAboutType).map(pathOf));
  return issues
    .filter((issue) => isAboutType(issue) || !ofWrongType.has(pathOf(issue)))
    .map((issue) => ({ path: pathOf(issue), message: messageOf(issue) }));
}

const isAboutType = ({ code }: Issue): boolean => code === 'invalid_type';

const pathOf = ({ path }: Issue): string => path.map(String).join('.') || 'body';

function messageOf(issue: Issue): string {
  if (issue.input === undefined) return 'is required';
  if (issue.code === 'invalid_type') return TYPES[issue.expected] ?? `must be of type ${issue.expected}`;
  // The messages of our schemas begin with a small letter or with the value in quotes.
  return /^[A-Z]/.test(issue.message) ? sizeMessage(issue) : issue.message;
}

function sizeMessage(issue: Issue): string {
  if (issue.code === 'too_big')
    return `must ${sized(issue.origin)} at most ${countOf(issue.origin, issue.maximum)}`;
  if (issue.code === 'too_small')
    return `must ${sized(issue.origin)} at least ${countOf(issue.origin, issue.minimum)}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'unrecognized_keys')
    return `has unknown properties: ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
  return 'is not valid';
}

const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'entries' };

const sized = (origin: string): string => (UNITS[origin] === undefined ? 'be' : 'have');

const countOf = (origin: string, limit: number | bigint): string =>
  [limit, UNITS[origin]].filter((part) => part !== undefined).join(' ');

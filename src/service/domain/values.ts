// Checks each value that a recipient submits against its field, and returns it as text. Errors are data: the API says it in
// English (`valueErrorMessage`), a page in the language of the recipient.
import type { FieldValue } from '../../api/contract/fields.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import type { FieldError } from '../../api/contract/problems.ts';
import { codePoints, isEmail } from '../../api/contract/values.ts';
import { isCalendarDay } from '../../common/instant.ts';
import { adoptionOf, isPictureValue, type SubmittedValue } from './adoption.ts';
import { isSignatureField } from './draft.ts';
import { isDateOfSigning } from './known-value.ts';
import type { Field } from './transaction.ts';

/**
 * A pattern is matched with a whole value. A store may contain patterns that were accepted before RE2 was the dialect.
 */
export type PatternResult = 'matches' | 'differs' | 'unusable';

/** Reads results of checks that run outside of a commit. An "untried" check is run, and the decision made again. */
export type DeferredChecks = {
  matches(pattern: string, value: string): PatternResult | 'untried';
  /** Lists the characters of a value that no font at hand has, so that they could not be drawn into the document. */
  missing(field: Field, value: string): readonly string[] | 'untried';
};

/** A program that submits a picture has uploaded it. */
const BY_PROGRAM = { kind: 'uploaded' } as const;

/** The errors are empty while checks of values have not run yet. */
type ValuesRead = { ok: true; fields: Field[] } | { ok: false; errors: FieldError[] };

/**
 * @param recipientFields the fields of the recipient who submits
 * @param day on which they sign
 * @returns the fields with their values
 */
export function readValues(
  values: readonly SubmittedValue[],
  recipientFields: readonly Field[],
  trials: DeferredChecks,
  day: string,
): ValuesRead {
  const errors: FieldError[] = [];
  let isTried = true;
  const submittedById = new Map<string, SubmittedValue>();
  for (const [position, submitted] of values.entries()) {
    const { field_id } = submitted;
    if (!recipientFields.some((field) => field.id === field_id))
      errors.push({
        path: `values.${position}.field_id`,
        message: `"${field_id}" is not a field of this recipient`,
      });
    if (submittedById.has(field_id))
      errors.push({ path: `values.${position}.field_id`, message: `"${field_id}" is given twice` });
    submittedById.set(field_id, submitted);
  }
  const fields = recipientFields.map((field): Field => {
    // Nobody has seen a date of signing that is not submitted: it is not filled in behind their back.
    const prefilled = isDateOfSigning(field) ? null : field.known_value;
    const { value: raw = prefilled, adoption = BY_PROGRAM } = submittedById.get(field.id) ?? {};
    const value = asText(raw);
    const complaint = changedError(field, value, day) ?? findValueError(field, value, trials);
    if (complaint === 'untried') isTried = false;
    else if (complaint)
      errors.push({
        path: `values.${field.id}`,
        message: `${field.label} ${valueErrorMessage(complaint, field)}`,
      });
    if (value === '') return { ...field, value: null, adoption: null };
    return { ...field, value, adoption: isSignatureField(field) ? adoptionOf(value, adoption) : null };
  });
  return isTried && errors.length === 0 ? { ok: true, fields } : { ok: false, errors };
}

/** Refuses a value that differs from one that the recipient was shown and cannot change. */
function changedError(field: Field, value: string, day: string): ValueError | undefined {
  if (isDateOfSigning(field)) return value === day ? undefined : { rule: 'date_of_signing', day };
  return field.is_readonly && value !== field.known_value ? { rule: 'readonly' } : undefined;
}

const asText = (value: FieldValue['value'] | undefined): string =>
  value === undefined || value === null ? '' : String(value);

/** @returns what is wrong with the value; undefined when nothing is */
export function findValueError(
  field: Field,
  value: string,
  trials: DeferredChecks,
): ValueError | 'untried' | undefined {
  if (field.type === 'checkbox') return checkboxError(field, value);
  if (value.trim() === '') return field.is_required ? { rule: 'required' } : undefined;
  return (
    BY_TYPE[field.type](value, field) ??
    lengthError(field, value) ??
    patternError(field, value, trials) ??
    characterError(field, value, trials)
  );
}

function checkboxError(field: Field, value: string): ValueError | undefined {
  if (!['', 'true', 'false'].includes(value)) return { rule: 'boolean' };
  return field.is_required && value !== 'true' ? { rule: 'ticked' } : undefined;
}

type Check = (value: string, field: Field) => ValueError | undefined;

const anything: Check = () => undefined;
const oneOf: Check = (value, field) => (field.options.includes(value) ? undefined : { rule: 'option' });

const BY_TYPE: Record<Exclude<Field['type'], 'checkbox'>, Check> = {
  text: anything,
  person_name: anything,
  signature: (value) => drawingError(value),
  initials: (value) => drawingError(value),
  email: (value) => (isEmail(value) ? undefined : { rule: 'email' }),
  date: (value) => (isCalendarDay(value) ? undefined : { rule: 'date' }),
  number: (value, field) => numberError(value, field),
  select: oneOf,
  radio: oneOf,
};

/** A signature that is no typed name is a drawing as a PNG. */
const DRAWING = /^data:image\/png;base64,[A-Za-z0-9+/]+={0,2}$/;

function drawingError(value: string): ValueError | undefined {
  if (isPictureValue(value)) return DRAWING.test(value) ? undefined : { rule: 'drawing' };
  return codePoints(value) > LIMITS.personNameLength
    ? { rule: 'max_length', limit: LIMITS.personNameLength }
    : undefined;
}

function numberError(value: string, { min_value, max_value }: Field): ValueError | undefined {
  if (!/^-?\d{1,15}(\.\d{1,10})?$/.test(value)) return { rule: 'number' };
  if (min_value !== null && Number(value) < min_value) return { rule: 'min_value', limit: min_value };
  if (max_value !== null && Number(value) > max_value) return { rule: 'max_value', limit: max_value };
  return undefined;
}

function lengthError(field: Field, value: string): ValueError | undefined {
  const { type, min_length } = field;
  if (type === 'signature' || type === 'initials') return undefined;
  const length = codePoints(value);
  const limit = longestOf(field);
  if (length > limit) return { rule: 'max_length', limit };
  if (min_length !== null && length < min_length) return { rule: 'min_length', limit: min_length };
  return undefined;
}

/** Finds the most code points that the field takes. */
export function longestOf({ max_length, regex }: Field): number {
  const longest = regex === null ? LIMITS.textLength : LIMITS.regexValueLength;
  return Math.min(max_length ?? longest, longest);
}

const PATTERN_ERRORS = {
  matches: undefined,
  differs: { rule: 'pattern' },
  untried: 'untried',
  unusable: { rule: 'unusable_pattern' },
} as const;

const patternError = ({ regex }: Field, value: string, { matches }: DeferredChecks) =>
  regex === null ? undefined : PATTERN_ERRORS[matches(regex, value)];

/** Finds characters that cannot be drawn. They are refused, never silently dropped. */
function characterError(
  field: Field,
  value: string,
  { missing }: DeferredChecks,
): ValueError | 'untried' | undefined {
  const characters = missing(field, value);
  if (characters === 'untried') return characters;
  return characters.length > 0 ? { rule: 'characters', characters: characters.join(' ') } : undefined;
}

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
  /** The `characters` have spaces between them. */
  | { rule: 'characters'; characters: string }
  /** The recipient was shown another day as the date of signing, or none. */
  | { rule: 'date_of_signing'; day: string }
  | { rule: 'min_value' | 'max_value' | 'min_length' | 'max_length'; limit: number };

/** The text follows the label of the field. */
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

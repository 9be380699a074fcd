// What a recipient hands in: each value checked against its field, then kept as text.
import type { FieldValue } from '../../api/contract/fields.ts';
import { isCalendarDay } from '../../api/contract/instant.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import type { FieldError } from '../../api/contract/problems.ts';
import { codePoints, isEmail } from '../../api/contract/values.ts';
import type { Field } from './transaction.ts';

/** What came of trying a pattern on a whole value. A store may hold patterns that were taken before RE2 was the dialect. */
export type Match = 'matches' | 'differs' | 'untried' | 'unusable';
export type Matches = (pattern: string, value: string) => Match;

type Read = { ok: true; fields: Field[] } | { ok: false; errors: FieldError[] };

/** @param asked the fields of the recipient who submits; @returns them with their values */
export function readValues(values: FieldValue[], asked: Field[], matches: Matches): Read {
  const errors: FieldError[] = [];
  const given = new Map<string, FieldValue['value']>();
  for (const [position, { field_id, value }] of values.entries()) {
    if (!asked.some((field) => field.id === field_id))
      errors.push({
        path: `values.${position}.field_id`,
        message: `"${field_id}" is not a field of this recipient`,
      });
    if (given.has(field_id))
      errors.push({ path: `values.${position}.field_id`, message: `"${field_id}" is given twice` });
    given.set(field_id, value);
  }
  const fields = asked.map((field): Field => {
    const value = asText(given.get(field.id));
    const message = complaint(field, value, matches);
    if (message) errors.push({ path: `values.${field.id}`, message: `${field.label} ${message}` });
    return { ...field, value: value === '' ? null : value };
  });
  return errors.length > 0 ? { ok: false, errors } : { ok: true, fields };
}

const asText = (value: FieldValue['value'] | undefined): string =>
  value === undefined || value === null ? '' : String(value);

/** What is wrong with the value, to follow the field's label; undefined when nothing is. */
function complaint(field: Field, value: string, matches: Matches): string | undefined {
  if (field.type === 'checkbox') return checkboxComplaint(field, value);
  if (value.trim() === '') return field.is_required ? 'is required' : undefined;
  return (
    BY_TYPE[field.type](value, field) ??
    lengthComplaint(field, value) ??
    patternComplaint(field, value, matches)
  );
}

function checkboxComplaint(field: Field, value: string): string | undefined {
  if (!['', 'true', 'false'].includes(value)) return 'must be true or false';
  return field.is_required && value !== 'true' ? 'must be ticked' : undefined;
}

type Check = (value: string, field: Field) => string | undefined;

const anything: Check = () => undefined;
const oneOf: Check = (value, field) =>
  field.options.includes(value)
    ? undefined
    : `must be one of ${field.options.map((option) => `"${option}"`).join(', ')}`;

const BY_TYPE: Record<Exclude<Field['type'], 'checkbox'>, Check> = {
  text: anything,
  person_name: anything,
  signature: (value) => drawingComplaint(value),
  initials: (value) => drawingComplaint(value),
  email: (value) => (isEmail(value) ? undefined : 'must be an e-mail address'),
  date: (value) => (isCalendarDay(value) ? undefined : 'must be a day of the form YYYY-MM-DD'),
  number: (value, field) => numberComplaint(value, field),
  select: oneOf,
  radio: oneOf,
};

/** A typed name, or a drawing as a PNG. */
const DRAWING = /^data:image\/png;base64,[A-Za-z0-9+/]+={0,2}$/;

function drawingComplaint(value: string): string | undefined {
  if (value.startsWith('data:'))
    return DRAWING.test(value) ? undefined : 'must be a PNG drawing or a typed name';
  return codePoints(value) > LIMITS.personNameLength
    ? `must have at most ${LIMITS.personNameLength} characters`
    : undefined;
}

function numberComplaint(value: string, { min_value, max_value }: Field): string | undefined {
  if (!/^-?\d{1,15}(\.\d{1,10})?$/.test(value)) return 'must be a number';
  if (min_value !== null && Number(value) < min_value) return `must be at least ${min_value}`;
  if (max_value !== null && Number(value) > max_value) return `must be at most ${max_value}`;
  return undefined;
}

function lengthComplaint({ type, min_length, max_length, regex }: Field, value: string): string | undefined {
  if (type === 'signature' || type === 'initials') return undefined;
  const length = codePoints(value);
  const longest = regex === null ? LIMITS.textLength : LIMITS.regexValueLength;
  const allowed = Math.min(max_length ?? longest, longest);
  if (length > allowed) return `must have at most ${allowed} characters`;
  if (min_length !== null && length < min_length) return `must have at least ${min_length} characters`;
  return undefined;
}

const COMPLAINTS: Record<Match, string | undefined> = {
  matches: undefined,
  differs: 'does not have the form that is asked for',
  untried: 'has not been checked yet',
  unusable:
    'cannot be checked: its pattern is of a kind that is no longer supported; ask the sender to send the document again',
};

const patternComplaint = ({ regex }: Field, value: string, matches: Matches): string | undefined =>
  regex === null ? undefined : COMPLAINTS[matches(regex, value)];

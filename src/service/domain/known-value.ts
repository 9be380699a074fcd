// Says what the sender has filled in, and in which form a value is written into the document and read on every page, in the
// certificate and in the evidence, with the names of field types.

import type { FieldType } from '../../api/contract/fields.ts';
import {
  type DateForm,
  DEFAULT_DATE_FORMAT,
  DEFAULT_DATE_LANGUAGE,
  formatDate,
  TODAY,
} from '../../api/contract/languages.ts';
import { dayIn, type Instant } from '../../common/instant.ts';
import type { Field } from './transaction.ts';

/** Writes a value as it stands in the document. */
export const writtenValue = (field: Pick<Field, 'type'> & DateForm, value: string): string =>
  field.type === 'date' ? formatDate(value, field) : value;

/** Returns the extensions of a field in responses, which are absent where they say nothing. */
export const extensionsOf = ({
  known_value,
  is_readonly,
  date_format,
  date_language,
}: Pick<Field, 'known_value' | 'is_readonly'> & DateForm): {
  value?: string;
  readonly?: boolean;
} & Partial<DateForm> => ({
  ...(known_value !== null && { value: known_value, readonly: is_readonly }),
  ...(date_format !== DEFAULT_DATE_FORMAT && { date_format }),
  ...(date_language !== DEFAULT_DATE_LANGUAGE && { date_language }),
});

/** @returns whether the service fills in the day of signing. That day is in no draft: it is computed for each page that shows it. */
export const isDateOfSigning = ({ type, known_value }: Pick<Field, 'type' | 'known_value'>): boolean =>
  type === 'date' && known_value === TODAY;

/** @param time_zone which the recipient's browser named when they agreed to sign electronically; UTC where it named none */
export const zoneOfSigning = (time_zone: string | null): string => time_zone ?? 'UTC';

/** Finds the calendar day for a recipient who signs now. */
export const dayOfSigning = (now: Instant, time_zone: string | null): string =>
  dayIn(now, zoneOfSigning(time_zone));

/** @returns whether a value is the sender's: one that the recipient has changed is theirs */
export const isOfSender = ({ known_value }: Pick<Field, 'known_value'>, value: string | null): boolean =>
  known_value !== null && value === known_value;

export const TYPE_NAMES: Record<FieldType, string> = {
  signature: 'Signature',
  initials: 'Initials',
  person_name: 'Name',
  email: 'Email',
  date: 'Date',
  text: 'Text',
  number: 'Number',
  checkbox: 'Checkbox',
  select: 'List',
  radio: 'Choice',
};

/**
 * Returns the label, or the name of the type where the sender gave none, so that the label is the type (assumed: A20).
 */
export const labelOrTypeName = ({ label, type }: Pick<Field, 'label' | 'type'>): string =>
  label === type ? TYPE_NAMES[type] : label;

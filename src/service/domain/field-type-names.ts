// The names of field types in English, for the editor and for the certificate.
import type { FieldType } from '../../api/contract/fields.ts';
import type { Field } from './transaction.ts';

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

/** The label; the name of the type where the sender gave none, so that the label is the type (assumed: A20). */
export const labelOrTypeName = ({ label, type }: Pick<Field, 'label' | 'type'>): string =>
  label === type ? TYPE_NAMES[type] : label;

// What `esign tx fields` takes, as data, and the type of what was typed.
import type { Input } from '../../../command/command.ts';

export const ARGUMENTS = [
  { name: 'id', completes: 'transaction', summary: 'id of the transaction' },
] as const;

export const OPTIONS = {
  field: {
    value: 'SPEC',
    repeat: true,
    summary: 'what is filled in where: TYPE@PAGE:X,Y,WxH[=RECIPIENT][;…]',
  },
  from: { value: 'FILE', completes: 'file', summary: 'fields as JSON; - is standard input' },
  add: { summary: 'keep the fields that are there (the default)' },
  replace: { summary: 'remove the fields that are there' },
} as const;

export type FieldsInput = Input<typeof ARGUMENTS, typeof OPTIONS>;

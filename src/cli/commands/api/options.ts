// What `esign api` takes, as data, and the type of what was typed.
import type { Input } from '../../command/command.ts';

export const ARGUMENTS = [
  {
    name: 'operation',
    summary: 'id of an operation, or a method: GET, POST, PUT, PATCH, DELETE',
    completes: 'operation',
  },
  { name: 'path', optional: true, summary: 'path under the base address, after a method' },
] as const;

export const OPTIONS = {
  'raw-field': { value: 'KEY=VALUE', short: 'f', repeat: true, summary: 'a field, as text' },
  field: {
    value: 'KEY=VALUE',
    short: 'F',
    repeat: true,
    summary: 'a field: true, false, null, a number, or @FILE for what the file holds',
  },
  input: { value: 'FILE', summary: 'the whole body; - is standard input', completes: 'file' },
  paginate: { summary: 'every page of a list, one item a line' },
  include: { short: 'i', summary: 'print status and headers before the body' },
  'dry-run': { summary: 'print a line of curl that does the same; send nothing' },
} as const;

export type ApiInput = Input<typeof ARGUMENTS, typeof OPTIONS>;

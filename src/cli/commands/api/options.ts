// The arguments and options of `esign api` as data, and the type of its input.
import type { CommandInput } from '../../command/command.ts';

export const API_ARGUMENTS = [
  {
    name: 'operation|method',
    summary: 'Operation ID, or a method: GET, HEAD, POST, PUT, PATCH, DELETE',
    completes: 'operation',
  },
  { name: 'path', optional: true, summary: 'Path below the base URL; required after a method' },
] as const;

export const API_OPTIONS = {
  'raw-field': { value: 'KEY=VALUE', short: 'f', repeat: true, summary: 'Field with a text value' },
  field: {
    value: 'KEY=VALUE',
    short: 'F',
    repeat: true,
    summary: 'Field with a typed value: true, false, null, a number, or @FILE for the content of a file',
  },
  input: { value: 'FILE', summary: 'File with the request body; - reads standard input', completes: 'file' },
  paginate: { summary: 'Request every page of a list and print one item per line' },
  include: { short: 'i', summary: 'Print the status and headers before the body' },
  'dry-run': { summary: 'Print an equivalent curl command without sending anything' },
} as const;

export type ApiInput = CommandInput<typeof API_ARGUMENTS, typeof API_OPTIONS>;

import { defineCommand, type Input } from '../command.ts';

const ARGUMENTS = [
  {
    name: 'operation',
    summary: 'id of an operation, or a method: GET, POST, PUT, PATCH, DELETE',
    completes: 'operation',
  },
  { name: 'path', optional: true, summary: 'path under the base address, after a method' },
] as const;

const OPTIONS = {
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

export const command = defineCommand({
  summary: 'call an operation of the service',
  details:
    'Fields fill the path where it names them; the others go into the query of GET and DELETE, and into a JSON body otherwise: ' +
    "a[b]=c is an object, a[]=x a list. With --input they go into the query. The body is printed as it came, also a refusal's, whose error follows on stderr.",
  arguments: ARGUMENTS,
  options: OPTIONS,
  json: 'what the service answered; {content_type, text or base64} when that is no JSON; with --include {status, headers, body}',
  examples: [
    { line: 'esign api transaction.detail -f transactionId=ID', about: 'an operation by its id' },
    { line: 'esign api GET /v1/template -f limit=10 -f page=1', about: 'the same as method and path' },
    { line: 'esign api file.upload -F file=@contract.pdf', about: 'upload a file, get its token' },
    { line: 'esign api template.list --paginate', about: 'every template, one a line' },
    { line: 'esign api transaction.create -f name=Agreement --dry-run', about: 'show it as a line of curl' },
  ],
  async run(app, input) {
    const { callApi } = await import('../flows/api.ts');
    return callApi(app, input);
  },
});

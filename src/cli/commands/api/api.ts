import { defineCommand } from '../../command/command.ts';
import { API_ARGUMENTS, API_OPTIONS } from './options.ts';

export const command = defineCommand({
  summary: 'Make an authenticated API request',
  details:
    'There are two forms: `esign api OPERATION` calls an operation by its ID, and `esign api METHOD PATH` ' +
    'sends a request to any path of the service.\n\n' +
    'Use -f to add a field with a text value, -F to add a field with a typed value or the content of a file, and --input ' +
    'to send a file as the request body. Fields replace placeholders in the path. The remaining fields become ' +
    'query parameters for GET and DELETE and with --input, and properties of a JSON body otherwise: a[b]=c ' +
    'creates an object and a[]=x a list.\n\n' +
    'Without --json, the response body is printed unchanged, also for an error, whose description follows ' +
    'on stderr. With --json, the body is printed as JSON, or as an object with its content if it is not ' +
    'JSON.',
  arguments: API_ARGUMENTS,
  options: API_OPTIONS,
  json: '{…} as the service responds; {content_type, text} or {content_type, base64} if it is not JSON; with --include {status, headers, body}',
  examples: [
    { line: 'esign api transaction.detail -f transactionId=ID', about: 'Call an operation by its ID' },
    {
      line: 'esign api GET /v1/template -f limit=10 -f page=1',
      about: 'Send a request with method and path',
    },
    { line: 'esign api file.upload -F file=@contract.pdf', about: 'Upload a file and get its token' },
    { line: 'esign api template.list --paginate', about: 'Print all templates, one per line' },
    {
      line: 'esign api transaction.create -f name=Agreement --dry-run',
      about: 'Print a request as a curl command',
    },
  ],
  async run(context, input) {
    const { callApi } = await import('./call.ts');
    return callApi(context, input);
  },
});

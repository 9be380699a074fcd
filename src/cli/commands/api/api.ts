import { defineCommand } from '../../command/command.ts';
import { ARGUMENTS, OPTIONS } from './options.ts';

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
  async run(context, input) {
    const { callApi } = await import('./call.ts');
    return callApi(context, input);
  },
});

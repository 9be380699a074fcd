import { defineCommand } from '../../../command/command.ts';
import { UPLOAD_ARGUMENTS, UPLOAD_OPTIONS } from './options.ts';

export const command = defineCommand({
  summary: 'Upload files and add them to a draft',
  details:
    'If content of a file cannot be kept or displayed (an approximate layout, a missing font, a page that ' +
    'cannot be rendered), a warning is printed. `esign tx show` lists the same warnings with the document. ' +
    'With --tags and --form-fields, each file gets its fields before the next one is uploaded. The recipients ' +
    'of these fields are those of the transaction, and those that --to adds.',
  manual:
    'All files, tags and forms are checked before the first upload. If the command is interrupted, or the service refuses something, ' +
    'the error says which document is without its fields.',
  arguments: UPLOAD_ARGUMENTS,
  options: UPLOAD_OPTIONS,
  json: '{id, name, status, outcome, profile, documents: […], recipients: […], warnings: [{code, message, document, page, type, recipient, words: […]}]}',
  examples: [
    { line: 'esign tx upload @ contract.pdf annex.pdf', about: 'Add two documents to a draft' },
    {
      line: 'esign tx upload @ lease.pdf --tags --to "Ada <ada@example.com>,tag=Tenant"',
      about: 'Make fields of the tags in a document',
    },
  ],
  async run(context, input) {
    const { uploadFiles } = await import('./upload-files.ts');
    return uploadFiles(context, input);
  },
});

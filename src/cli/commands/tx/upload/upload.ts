import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Upload files and add them to a draft',
  details:
    'If content of a file cannot be kept or displayed (an approximate layout, a missing font, a page that ' +
    'cannot be rendered), a warning is printed. `esign tx show` lists the same warnings with the document.',
  arguments: [
    { name: 'id', completes: 'transaction', summary: 'ID of the transaction' },
    {
      name: 'file',
      repeat: true,
      completes: 'file',
      summary:
        'PDF, Word document (.docx) or image (PNG, JPEG, WebP, GIF, TIFF, BMP) to add, up to 10 MB each; - reads standard input',
    },
  ],
  options: {},
  json: '{id, name, status, outcome, profile, documents: […], recipients: […]}',
  examples: [{ line: 'esign tx upload @ contract.pdf annex.pdf', about: 'Add two documents to a draft' }],
  async run(context, { args }) {
    const { uploadFiles } = await import('./upload-files.ts');
    return uploadFiles(context, args.id, args.file);
  },
});

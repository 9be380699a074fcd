import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'upload files and add them to a draft',
  details:
    'What the service could not keep or show of a document is told as a warning, and is among the remarks of the document in ' +
    '`esign tx show`: an approximate layout, a missing font, a page that cannot be drawn.',
  arguments: [
    { name: 'id', completes: 'transaction', summary: 'id of the transaction' },
    {
      name: 'file',
      repeat: true,
      completes: 'file',
      summary:
        'a PDF, a Word document (.docx) or an image (PNG, JPEG, WebP, GIF, TIFF, BMP); - is standard input',
    },
  ],
  options: {},
  json: '{id, name, status, outcome, profile, documents: […], recipients: […]}',
  examples: [{ line: 'esign tx upload ID contract.pdf annex.pdf', about: 'two documents for a draft' }],
  async run(context, { args }) {
    const { uploadTo } = await import('./upload-files.ts');
    return uploadTo(context, args.id, args.file);
  },
});

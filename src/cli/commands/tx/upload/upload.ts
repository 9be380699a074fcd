import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'upload files and add them to a draft',
  arguments: [
    { name: 'id', completes: 'transaction', summary: 'id of the transaction' },
    {
      name: 'file',
      repeat: true,
      completes: 'file',
      summary:
        'a PDF, an image or a .docx document; - is standard input. The sandbox takes PDF and images: JPEG, PNG, WebP, GIF, TIFF and BMP',
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

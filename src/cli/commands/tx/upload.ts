import { defineCommand } from '../../command.ts';

export const command = defineCommand({
  summary: 'upload files and add them to a draft',
  arguments: [
    { name: 'id', completes: 'transaction', summary: 'id of the transaction' },
    {
      name: 'file',
      repeat: true,
      completes: 'file',
      summary: 'a PDF, an image or a .docx document; - is standard input',
    },
  ],
  options: {},
  json: '{id, name, status, outcome, profile, documents: […], recipients: […]}',
  examples: [{ line: 'esign tx upload ID contract.pdf annex.pdf', about: 'two documents for a draft' }],
  async run(app, { args }) {
    const { uploadTo } = await import('../../flows/upload.ts');
    return uploadTo(app, args.id, args.file);
  },
});

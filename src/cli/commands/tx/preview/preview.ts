// `esign tx preview`: shows the pages with their fields, before they are sent.
import { defineCommand } from '../../../command/command.ts';
import { PREVIEW_ARGUMENTS, PREVIEW_OPTIONS } from './options.ts';

export const command = defineCommand({
  summary: 'Render pages with their fields as images',
  details:
    'Writes a PNG of every page (NAME-1.png and so on) with a box for each field. The box shows who ' +
    'fills in the field, its type, and whether it is required; a dashed box is optional. With files, the ' +
    'fields are those that `esign tx send` would create with the same options, and nothing is sent or ' +
    'stored; without --to, the page shows where the signature of one signer would go. With an ID, the ' +
    'documents and fields are those of the transaction. A field that covers text is named in a warning. With --suggest, the pages also show the fields that the ' +
    'documents seem to ask for: on lines beside words such as "Signature", "Name" and "Date" in eight languages, ' +
    'in the form of a PDF, and at tags. The options of `esign tx send` that make them are printed.',
  arguments: PREVIEW_ARGUMENTS,
  options: PREVIEW_OPTIONS,
  json: '{id, files: [{path, document, page, width, height, fields: [{type, label, is_required, recipient: {name, email}, x, y, width, height}]}], warnings: [{code, message, document, page, type, recipient, words: […]}]}; with --suggest also {suggestions: [{from, type, label, document, page, x, y, width, height, recipient, is_guessed, field}]}, where field is the value of --field, or null for a form or a tag, recipient counts from 1, and is_guessed is true where the text does not say whose the field is; id is null for files, page counts from 0, lengths are points',
  examples: [
    {
      line: 'esign tx preview contract.pdf --to "Ada <ada@example.com>"',
      about: 'See where the default signature field is placed',
    },
    {
      line: 'esign tx preview contract.pdf --to "Ada <ada@example.com>" --field "text@1:10%,10%,30%x4%,label=City" --page 1 -o pictures',
      about: 'Try out a field',
    },
    {
      line: 'esign tx preview contract.pdf --suggest -o pictures',
      about: 'Find the lines that ask for a signature, a name or a date',
    },
    {
      line: 'esign tx preview contract.pdf --grid --page last -o pictures',
      about: 'Find the coordinates for --field, without recipients',
    },
    {
      line: 'esign tx preview @ -o pictures',
      about: 'See the pages of a transaction as the recipients will',
    },
  ],
  async run(context, input) {
    const { drawPreview } = await import('./draw-pages.ts');
    return drawPreview(context, input);
  },
});

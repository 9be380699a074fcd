import { defineCommand } from '../../../command/command.ts';
import { WORDS_ARGUMENTS, WORDS_OPTIONS } from './options.ts';

export const command = defineCommand({
  summary: 'Print the words of a document with their positions',
  details:
    'Prints each word with the box around it, in points from the top left corner of the page as displayed. A field can be placed at ' +
    'words: see `esign help fields`. Word documents are converted to PDF first. A page that has no text, such as a scan, is named in a warning.',
  arguments: WORDS_ARGUMENTS,
  options: WORDS_OPTIONS,
  json: '{items: [{page, text, x, y, width, height}], pages_without_text: […]}; page counts from 0, lengths are points',
  examples: [{ line: 'esign tx text contract.pdf --page last', about: 'See the words of the last page' }],
  async run(context, input) {
    const { printWords } = await import('./print-words.ts');
    return printWords(context, input);
  },
});

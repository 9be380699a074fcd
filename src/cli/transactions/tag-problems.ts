// Says why tags cannot be removed from a document, and what to do about it.
import type { NotRemovableReason } from '../../pdf/engine/engine.ts';

/** Why tags stay where they are, as the end of a sentence, and the way out. */
export const TAG_PROBLEMS: Record<NotRemovableReason, { why: (what: string) => string; hint: string }> = {
  signed: {
    why: () => 'the document is signed, and any change would make its signature invalid',
    hint: 'Use the document as it was before it was signed, or place fields with --field.',
  },
  encrypted: {
    why: () => 'the document is encrypted',
    hint: 'Save the document without encryption.',
  },
  unreadable: {
    why: () => 'the file is damaged and cannot be written again',
    hint: 'Save the file anew in a PDF program, or place fields with --field.',
  },
  content: {
    why: () => 'the page has content that PDF programs read in different ways',
    hint: 'Export the document to PDF again, or place fields with --field.',
  },
  glyphs: {
    why: () => 'its letters cannot be told apart from the rest of the page',
    hint: 'Export the document to PDF again with its fonts embedded, or place fields with --field.',
  },
  shared: {
    why: () => 'one of its letters shows other text as well',
    hint: 'Put a space before and after the tag, and nothing over it.',
  },
  hidden: {
    why: () => 'it is hidden text over a picture that shows it',
    hint: 'Use the document before it was scanned, or place fields with --field.',
  },
  clip: {
    why: () => 'its letters are filled with a picture or a pattern',
    hint: 'Write the tag in plain letters.',
  },
  copy: {
    why: (what) => `the file has a copy of it in ${what}`,
    hint: 'Remove the copy from the document, and export it again.',
  },
  text: {
    why: (what) => `the text "${what}" would change as well`,
    hint: 'Put the tag in a paragraph of its own, or place fields with --field.',
  },
  picture: {
    why: () => 'the page would look different elsewhere',
    hint: 'Put the tag where nothing is drawn over it, or place fields with --field.',
  },
};

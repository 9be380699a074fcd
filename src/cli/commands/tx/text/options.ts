// The arguments and options of `esign tx text` as data.

export const WORDS_ARGUMENTS = [
  { name: 'file', completes: 'file', summary: 'PDF or Word document (.docx); - reads standard input' },
] as const;

export const WORDS_OPTIONS = {
  page: { value: 'N', summary: 'Page to print: a number from 1, or last (default: every page)' },
} as const;

// Why a document is too complex, in words: as the end of a sentence that begins with the document or the page.

const WHY: Record<string, string> = {
  time: 'takes too long to draw or read',
  memory: 'needs too much memory',
  crash: 'cannot be read by the PDF engine',
};

/** @param limit the name of what was passed; one without a sentence of its own is named */
export const whyTooComplex = (limit: string): string => WHY[limit] ?? `passes a limit (${limit})`;

/** What a reader calls the page: they count from 1. */
export const pageName = (page: number): string => `page ${page + 1}`;

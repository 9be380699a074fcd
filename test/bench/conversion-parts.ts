// Exports the functions that the row of conversion measures, as one module.
export { docxToPdf } from '../../src/docx/docx-to-pdf.ts';
export { docxOf, paragraph } from '../support/documents/docx.ts';

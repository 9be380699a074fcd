// Writes PDFs with forms, object by object. Numbers of the given objects begin at 6: the first is `6 0 R`.
import { pdfOf } from './pdf.ts';

export type FormPdf = {
  /** Fields, widgets and whatever they refer to. */
  objects: readonly string[];
  /** Positions in `objects` of the fields of the form; absent: all of them. */
  fields?: readonly number[];
  /** Positions in `objects` of the widgets of the page; absent: all of them. */
  widgets?: readonly number[];
  /** Further entries of the form. */
  form?: string;
  /** Entries of the page. */
  page?: string;
  trailer?: string;
};

/** The first object that is given. */
export const FIRST = 6;

export const ref = (position: number): string => `${FIRST + position} 0 R`;

/** One page with a form. Its fonts are Helvetica and ZapfDingbats, by the names F and Z. */
export function formPdf({
  objects,
  fields = objects.map((_, index) => index),
  widgets = objects.map((_, index) => index),
  form = '',
  page = '/MediaBox[0 0 400 300]',
  trailer = '',
}: FormPdf): Buffer {
  return pdfOf(
    [
      '<</Type/Catalog/Pages 2 0 R/AcroForm 4 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      `<</Type/Page/Parent 2 0 R${page}/Resources<<>>/Annots[${widgets.map(ref).join(' ')}]>>`,
      `<</Fields[${fields.map(ref).join(' ')}]/DA(/F 0 Tf 0 g)/DR<</Font<</F 5 0 R>>>>${form}>>`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
      ...objects,
    ],
    trailer,
  );
}

/** A field that is its own widget. @param rect left, bottom, right, top */
export const field = (name: string, rect: string, entries: string): string =>
  `<</Type/Annot/Subtype/Widget/F 4/T(${name})/Rect[${rect}]${entries}>>`;

/** A widget of a field above it. */
export const widget = (rect: string, entries: string): string =>
  `<</Type/Annot/Subtype/Widget/F 4/Rect[${rect}]${entries}>>`;

/** The look of a field that shows a text. */
export function look(text: string, { width, height }: { width: number; height: number }): string {
  const content = `/Tx BMC q BT /F 10 Tf 2 4 Td (${text}) Tj ET Q EMC`;
  return `<</Type/XObject/Subtype/Form/BBox[0 0 ${width} ${height}]/Resources<</Font<</F 5 0 R>>>>/Length ${content.length}>>\nstream\n${content}\nendstream`;
}

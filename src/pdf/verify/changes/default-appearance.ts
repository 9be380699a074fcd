// Judges default appearances (/DA of a form and of a field; ISO 32000-2, 12.7.4.3). Readers write the look of a field with them where it has none, and
// Ghostscript runs them as content on the page, outside of any box: paths, hidden marked content and other drawings would appear there.
import type { PdfView } from '../../syntax/read-pdf.ts';
import { NOTHING, Scanner } from '../../syntax/scanner.ts';
import { PdfString, type Value } from '../../syntax/values.ts';
import { inherited } from './diff-context.ts';

/**
 * The operands that each operator for a font, its size or a colour has, and those for the distances of letters, of which Acrobat writes one: no reader draws or
 * moves anything by them outside of the field.
 */
const OPERANDS = new Map([
  ['Tf', 2],
  ['Tc', 1],
  ['Tw', 1],
  ['Tz', 1],
  ['TL', 1],
  ['Ts', 1],
  ['g', 1],
  ['G', 1],
  ['rg', 3],
  ['RG', 3],
  ['k', 4],
  ['K', 4],
]);

/** Tells whether a default appearance sets nothing but a font, its size, distances and colours. Acrobat writes none as an empty text. */
export const isPlainDefault = (view: PdfView, value: Value | undefined): boolean =>
  fontOf(view, value) !== undefined;

/** The name of the font that is set last, or an empty text; undefined where the default appearance sets anything else. */
function fontOf(view: PdfView, value: Value | undefined): string | undefined {
  const written = view.resolve(value);
  if (written === null) return '';
  if (!(written instanceof PdfString)) return undefined;
  const scanner = new Scanner(written.bytes, 0);
  let font = '';
  let operands: Value[] = [];
  for (;;) {
    scanner.skipBlanks();
    const start = scanner.at;
    if (scanner.isAmbiguous) return undefined;
    if (start >= written.bytes.length) return operands.length === 0 ? font : undefined;
    const operand = scanner.value();
    if (operand !== NOTHING) {
      operands.push(operand);
      continue;
    }
    const operator = written.bytes.toString('latin1', start, scanner.at);
    const [first, ...others] = operands;
    const isFont = operator === 'Tf' && typeof first === 'string';
    const numbers = isFont ? others : operands;
    if (operands.length !== OPERANDS.get(operator) || !numbers.every((item) => typeof item === 'number'))
      return undefined;
    if (operator === 'Tf' && !isFont) return undefined;
    if (isFont) font = first;
    operands = [];
  }
}

/**
 * Tells whether a reader that writes the look of a field anew draws letters and nothing else: with a plain default appearance, and a font whose letters are
 * no drawings of their own (Type 3).
 */
export function writesPlainText(view: PdfView, form: Value | undefined, field: Value | undefined): boolean {
  const [above, dict] = [view.dict(form), view.dict(field)];
  if (!dict) return false;
  const font = fontOf(view, inherited(view, dict, 'DA') ?? above?.get('DA'));
  if (font === undefined) return false;
  const fonts = [above, dict].map((owner) => view.dict(view.dict(owner?.get('DR'))?.get('Font')));
  return fonts.every((named) => view.resolve(view.dict(named?.get(font))?.get('Subtype')) !== 'Type3');
}

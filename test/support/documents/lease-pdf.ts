// Writes a lease with lines to sign on, for two people in two columns.
import { fileFont, showAt, textPdf } from './text-pdf.ts';

const SIZE = { width: 595, height: 842 };

/** @param title of the first page, which tells two leases from each other */
export function leasePdf(title = 'Lease'): Buffer {
  const font = fileFont('sans-regular');
  const text = (x: number, y: number, words: string, size = 12): string =>
    showAt(x, y, font.encode(words), size);
  const rule = (x: number, y: number, width: number): string => `1 w ${x} ${y} m ${x + width} ${y} l S`;
  const first = [
    text(72, 760, title, 24),
    text(72, 700, 'The tenant pays the rent on the first day of each month.'),
  ];
  const last = [
    text(72, 700, 'Email of the tenant:'),
    rule(200, 698, 180),
    rule(72, 500, 180),
    text(72, 486, 'Signature of the landlord'),
    rule(320, 500, 180),
    text(320, 486, 'Signature of the tenant'),
    text(72, 440, 'Date:'),
    rule(110, 438, 120),
    text(320, 440, 'Date:'),
    rule(358, 438, 120),
  ];
  const tree = `/MediaBox[0 0 ${SIZE.width} ${SIZE.height}]`;
  return textPdf({ contents: [first.join('\n'), last.join('\n')], fonts: [font], tree });
}

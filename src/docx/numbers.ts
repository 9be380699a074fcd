// How a number is written in a list, a note or a page number.

const ROMAN: readonly [number, string][] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];
const MOST_ROMAN = 32_767;
/** Letters are repeated: after Z comes AA, then BB (ECMA-376, part 1, 17.18.59). */
const MOST_LETTERS = 780;

/** `format` is one of ST_NumberFormat. One that is not known here is written in digits. */
export function writtenNumber(value: number, format: string): string {
  switch (format) {
    case 'none':
      return '';
    case 'lowerLetter':
      return letters(value).toLowerCase();
    case 'upperLetter':
      return letters(value);
    case 'lowerRoman':
      return roman(value).toLowerCase();
    case 'upperRoman':
      return roman(value);
    case 'decimalZero':
      return `${value}`.padStart(2, '0');
    case 'ordinal':
      return `${value}${ordinalEnd(value)}`;
    case 'numberInDash':
      return `- ${value} -`;
    default:
      return `${value}`;
  }
}

function letters(value: number): string {
  if (value < 1 || value > MOST_LETTERS) return `${value}`;
  const letter = String.fromCharCode('A'.charCodeAt(0) + ((value - 1) % 26));
  return letter.repeat(Math.ceil(value / 26));
}

function roman(value: number): string {
  if (value < 1 || value > MOST_ROMAN) return `${value}`;
  let left = value;
  let written = '';
  for (const [worth, sign] of ROMAN) for (; left >= worth; left -= worth) written += sign;
  return written;
}

function ordinalEnd(value: number): string {
  const isTeen = value % 100 >= 11 && value % 100 <= 13;
  return isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
}

// Writes a PDF of one page for transactions that `events trigger` makes.

const LINES = [
  [16, 'Agreement'],
  [11, 'This document was created by "esign events trigger" to test receivers of events.'],
  [11, 'It has one page and no legal meaning.'],
] as const;

const [LEFT, TOP, LEADING] = [72, 720, 28];

/** Writes the objects one after another, then the table of their offsets (ISO 32000-1, 7.5). */
export function onePagePdf(): Uint8Array<ArrayBuffer> {
  const text = LINES.map(
    ([size, line], index) =>
      `BT /F1 ${size} Tf ${LEFT} ${TOP - index * LEADING} Td (${line.replace(/[\\()]/g, '\\$&')}) Tj ET`,
  ).join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
  ];
  let pdf = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = pdf.length;
  pdf += `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${end}\n%%EOF\n`;
  return new TextEncoder().encode(pdf);
}

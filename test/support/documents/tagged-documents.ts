// Writes documents with tags for other programs: as OpenDocument for LibreOffice, and as HTML for Chromium. The same number gives the
// same document.
import { degrees, type PDFDocument, type PDFFont } from '@cantoo/pdf-lib';

/** Numbers that look random, always the same. */
function numbersFrom(seed: number): (below: number) => number {
  let state = (seed + 1) * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return (state >>> 8) % below;
  };
}

const WORDS =
  'agreement between the parties signature office final affirm fluent waffle r1 name date Vertrag Größe café the of and to 12 % (a) [b] {c} x-ray co-operation'.split(
    ' ',
  );

const TAGS = [
  '{{signature, r1}}',
  '{{initials, r2, required=false}}',
  '{{text, r1, label=Affiliation, placeholder=Your office}}',
  '{{date, r2}}',
  '{{Full Name;type=text;role=Customer}}',
  '{{Date of signing;type=date;role=First Party;required=false;width=120;height=20}}',
  '{{radio, r1, options=Offer|Final, selected=Offer}}',
  '{{Sign here;type=signature;role=Customer}}',
];

/** A piece of text in one style; a tag is in several pieces with different styles. */
type Piece = { text: string; style: number };

const STYLES = 5;
const SIZES = [9, 11, 14, 18];
const FAMILIES = ['DejaVu Sans', 'DejaVu Serif', 'Liberation Serif', 'Liberation Sans', 'DejaVu Sans Mono'];

function piecesOf(seed: number): Piece[][] {
  const next = numbersFrom(seed);
  return Array.from({ length: 6 + next(12) }, (_, paragraph) => {
    const pieces: Piece[] = [];
    const words = (count: number) => {
      if (count > 0)
        pieces.push({
          text: `${Array.from({ length: count }, () => WORDS[next(WORDS.length)]!).join(' ')} `,
          style: next(STYLES),
        });
    };
    words(next(25));
    if (paragraph % 2 === 0) {
      pieces.push(...split(TAGS[next(TAGS.length)]!, next));
      if (next(2) === 0) pieces.push({ text: ['.', ',', ' ', 'fi'][next(4)]!, style: next(STYLES) });
    }
    words(next(20));
    return pieces;
  });
}

/** In one piece, or in some. */
function split(tag: string, next: (below: number) => number): Piece[] {
  const pieces: Piece[] = [];
  let rest = tag;
  const most = next(4);
  while (pieces.length < most && rest.length > 3) {
    const length = 1 + next(rest.length - 2);
    pieces.push({ text: rest.slice(0, length), style: next(STYLES) });
    rest = rest.slice(length);
  }
  return [...pieces, { text: rest, style: next(STYLES) }];
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const ALIGNMENTS = ['left', 'right', 'center', 'justify'];

export function taggedHtml(seed: number): string {
  const next = numbersFrom(seed + 1000);
  const css = Array.from(
    { length: STYLES },
    (_, index) =>
      `.s${index}{${['', 'font-weight:bold', 'font-style:italic', 'color:#a00', 'letter-spacing:1px'][index]}}`,
  ).join('');
  const paragraphs = piecesOf(seed).map((pieces) => {
    const spans = pieces.map(({ text, style }) => `<span class="s${style}">${escaped(text)}</span>`).join('');
    return `<p style="text-align:${ALIGNMENTS[next(4)]}">${spans}</p>`;
  });
  const body =
    next(3) === 0
      ? `<table border="1"><tr><td>${paragraphs.join('</td></tr><tr><td>')}</td></tr></table>`
      : paragraphs.join('');
  const columns = next(4) === 0 ? 'column-count:2;' : '';
  return `<!doctype html><meta charset="utf-8"><title>Document ${seed}</title><style>@page{margin:15mm}body{font:${SIZES[next(4)]}px '${FAMILIES[next(5)]}';${columns}}${css}</style><h1>Agreement ${seed}</h1>${body}`;
}

export function taggedFodt(seed: number): string {
  const next = numbersFrom(seed + 2000);
  const family = FAMILIES[next(5)];
  const size = SIZES[next(4)];
  const texts = [
    '',
    'fo:font-weight="bold"',
    'fo:font-style="italic"',
    'fo:color="#aa0000"',
    'fo:letter-spacing="1pt"',
  ];
  const styles = [
    ...texts.map(
      (text, index) =>
        `<style:style style:name="T${index}" style:family="text"><style:text-properties style:font-name="${family}" fo:font-size="${size}pt" ${text}/></style:style>`,
    ),
    ...ALIGNMENTS.map(
      (align) =>
        `<style:style style:name="P${align}" style:family="paragraph"><style:paragraph-properties fo:text-align="${align}"/></style:style>`,
    ),
  ].join('');
  const paragraphs = piecesOf(seed).map((pieces) => {
    const spans = pieces
      .map(({ text, style }) => `<text:span text:style-name="T${style}">${escaped(text)}</text:span>`)
      .join('');
    return `<text:p text:style-name="P${ALIGNMENTS[next(4)]}">${spans}</text:p>`;
  });
  const cells = paragraphs.map(
    (one) => `<table:table-row><table:table-cell>${one}</table:table-cell></table:table-row>`,
  );
  const body =
    next(3) === 0 ? `<table:table><table:table-column/>${cells.join('')}</table:table>` : paragraphs.join('');
  const heading = next(2) === 0 ? `<text:h text:outline-level="1">Agreement ${seed}</text:h>` : '';
  return `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text"><office:font-face-decls><style:font-face style:name="${family}" svg:font-family="'${family}'"/></office:font-face-decls><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${heading}${body}</office:text></office:body></office:document>`;
}

const PAGE = { width: 420, height: 595, margin: 30 };

/** Draws each word with operators of its own, over lines, on upright and turned pages. PDFium reads words that are upside down backwards. */
export function drawTagged(document: PDFDocument, fonts: readonly PDFFont[], seed: number): void {
  const next = numbersFrom(seed + 3000);
  const size = SIZES[next(2)]!;
  let page = document.addPage([PAGE.width, PAGE.height]);
  if (next(3) === 0) page.setRotation(degrees([0, 90, 270][next(3)]!));
  let [x, y] = [PAGE.margin, PAGE.height - 2 * PAGE.margin];
  const advance = (text: string, font: PDFFont) => {
    const width = font.widthOfTextAtSize(text, size);
    if (x + width > PAGE.width - PAGE.margin) {
      x = PAGE.margin;
      y -= size * 1.4;
    }
    if (y < PAGE.margin) {
      page = document.addPage([PAGE.width, PAGE.height]);
      y = PAGE.height - 2 * PAGE.margin;
    }
    page.drawText(text, { x, y, size, font });
    x += width;
  };
  for (const pieces of piecesOf(seed).slice(0, 8)) {
    for (const { text, style } of pieces) {
      const font = fonts[style % fonts.length]!;
      for (const word of text.split(/(?<=[ ,;])/)) advance(word, font);
    }
    x = PAGE.margin;
    y -= size * 2;
  }
}

// What each reader draws of constructs that PDFium does not show: the table in decision 0019, from which the rules about forms follow. A reader that
// comes to draw more, or stops, changes a row.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shown } from '../../support/documents/pixels.ts';
import {
  basePdf,
  CATALOG,
  FORM,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  TEXT_FIELD,
  updated,
} from '../../support/documents/signed-pdf.ts';
import { approved, behind, PKI, WITH_INFO } from '../../support/documents/verification.ts';
import { needsVersion } from '../../support/tools.ts';

const FONTS = '/DR<</Font<</Helv 5 0 R>>>>';
const PLAIN = `/DA(/Helv 12 Tf 0 g)${FONTS}`;
const DRAWING = `/DA(/Helv 12 Tf 0 g 1 0 0 rg 20 20 200 150 re f)${FONTS}`;
const form = (entries: string): Objects => ({ [N.form]: FORM('7 0 R 9 0 R', `/SigFlags 3${entries}`) });
const bare = (entries = ''): Objects => ({
  [N.text]: `<</Type/Annot/Subtype/Widget/FT/Tx/T(amount)/Rect[10 10 100 30]/F 4/P 3 0 R${entries}>>`,
});
const TYPE3: Objects = {
  90: `<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</a 91 0 R>>/Encoding<</Differences[0${'/a'.repeat(256)}]>>/FirstChar 0/LastChar 255/Widths[${'1000 '.repeat(256)}]/Resources<<>>>>`,
  91: streamOf('1000 0 d0 1 0 0 rg -3000 -3000 30000 30000 re f'),
};
const signatureField = (entries: string): Objects => ({
  50: `<</Type/Annot/Subtype/Widget/FT/Sig/T(New)/P 3 0 R${entries}>>`,
  [N.form]: FORM('7 0 R 9 0 R 50 0 R'),
  [N.page]: PAGE(`${PAGE_ANNOTATIONS} 50 0 R`),
});
/** A layer that is off, and a note over the page that a later mark may hide. */
const HIDDEN_LAYER: Objects = {
  [N.catalog]: CATALOG('/OCProperties<</OCGs[92 0 R]/D<</OFF[92 0 R]>>>>'),
  92: '<</Type/OCG/Name(x)>>',
  13: '<</Type/Annot/Subtype/FreeText/Rect[100 100 200 130]/Contents(VOID)/P 3 0 R/AP<</N 14 0 R>>>>',
  14: streamOf('1 0 0 rg 0 0 100 30 re f', '/Type/XObject/Subtype/Form/BBox[0 0 100 30]'),
  [N.page]: PAGE(`${PAGE_ANNOTATIONS} 13 0 R`),
};

type Row = { construct: string; before?: Objects; later: Objects; drawnBy: string[]; faults: string[] };

const ROWS: Row[] = [
  {
    construct: 'a default appearance of the form that draws, and an empty field without a look',
    before: bare(),
    later: form(DRAWING),
    drawnBy: ['gs'],
    faults: ['changed_form'],
  },
  {
    construct: 'the same, and a hidden field',
    before: { [N.text]: String(bare()[N.text]).replace('/F 4', '/F 2') },
    later: form(DRAWING),
    drawnBy: [],
    faults: ['changed_form'],
  },
  {
    construct: 'the same, and a field with a look',
    later: form(DRAWING),
    drawnBy: [],
    faults: ['changed_form'],
  },
  {
    construct: 'a default appearance of a font, a size and a colour, and an empty field without a look',
    before: bare(),
    later: form(PLAIN),
    drawnBy: [],
    faults: [],
  },
  {
    construct: 'a value in a field without a look',
    before: { ...bare(), ...form(PLAIN) },
    later: bare('/V(999)'),
    drawnBy: ['gs', 'mutool', 'pdftoppm', 'PDFium'],
    faults: ['changed_form'],
  },
  {
    construct: 'a value, and a font of drawings that comes to the form',
    before: { ...bare(), ...form(PLAIN) },
    later: { ...TYPE3, ...bare('/V(999)'), ...form('/DA(/Helv 12 Tf 0 g)/DR<</Font<</Helv 90 0 R>>>>') },
    drawnBy: ['gs', 'mutool', 'PDFium'],
    faults: ['changed_form'],
  },
  {
    construct: 'a signature field without a rectangle',
    later: signatureField('/F 4'),
    drawnBy: ['mutool'],
    faults: ['overlay'],
  },
  {
    construct: 'a signature field with a place',
    later: signatureField('/F 4/Rect[20 60 120 100]'),
    drawnBy: ['mutool'],
    faults: [],
  },
  {
    construct: 'a signature field at a point',
    later: signatureField('/F 4/Rect[0 0 0 0]'),
    drawnBy: [],
    faults: [],
  },
  {
    construct: 'marked content of a hidden layer in a default appearance, before a note',
    before: { ...HIDDEN_LAYER, ...bare() },
    later: {
      ...bare('/V(9)'),
      ...form('/DA(/Helv 12 Tf 0 g /OC /x BDC)/DR<</Font<</Helv 5 0 R>>/Properties<</x 92 0 R>>>>'),
    },
    drawnBy: ['mutool', 'PDFium'],
    faults: ['changed_form'],
  },
  {
    construct: 'NeedAppearances, and a value with a look that says something else',
    before: { ...form(PLAIN), [N.text]: TEXT_FIELD('/V(100)') },
    later: form(`${PLAIN}/NeedAppearances true`),
    drawnBy: ['pdftoppm', 'PDFium'],
    faults: ['changed_form'],
  },
  {
    construct: 'another alignment of the form (/Q), and a value without a look',
    before: { ...form(PLAIN), ...bare('/V(100)') },
    later: form(`${PLAIN}/Q 2`),
    drawnBy: ['gs', 'pdftoppm', 'PDFium'],
    faults: ['changed_form'],
  },
  {
    construct: 'XFA beside the form',
    later: { ...form('/XFA 93 0 R'), 93: streamOf('<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"/>') },
    drawnBy: [],
    faults: ['changed_form'],
  },
];

const READERS: Record<string, (path: string, picture: string) => string[]> = {
  mutool: (path, picture) => ['draw', '-q', '-r', '72', '-F', 'ppm', '-o', `${picture}.ppm`, path, '1'],
  pdftoppm: (path, picture) => ['-q', '-r', '72', '-singlefile', path, picture],
  gs: (path, picture) => [
    ...'-q -dBATCH -dNOPAUSE -dSAFER -sDEVICE=ppmraw -r72'.split(' '),
    ...[`-sOutputFile=${picture}.ppm`, path],
  ],
};

/** They are those of the table. */
const VERSIONS: Record<string, string> = { mutool: '1.21', pdftoppm: '22.12', gs: '10.00' };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'esign-draw-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function drawnWith(reader: string, bytes: Buffer): Buffer {
  const [path, picture] = [join(folder, 'file.pdf'), join(folder, reader)];
  writeFileSync(path, bytes);
  rmSync(`${picture}.ppm`, { force: true });
  spawnSync(reader, READERS[reader]!(path, picture));
  return readFileSync(`${picture}.ppm`);
}

const versionsOf = ({ before = {}, later }: Row) => {
  const base = updated(basePdf(), before, WITH_INFO);
  return [base, updated(base, later, WITH_INFO)] as const;
};

describe('a construct that comes with a later save', () => {
  for (const reader of Object.keys(READERS)) {
    const tool = needsVersion(reader, VERSIONS[reader]!, reader === 'gs' ? '--version' : '-v');
    test.skipIf(tool.skip).each(ROWS)(`$construct: what ${reader} draws${tool.why}`, (row) => {
      const [before, after] = versionsOf(row).map((bytes) => drawnWith(reader, bytes)) as [Buffer, Buffer];
      expect(!before.equals(after)).toBe(row.drawnBy.includes(reader));
    });
  }

  test.each(ROWS)('$construct: what PDFium draws', async (row) => {
    const [before, after] = await Promise.all(
      versionsOf(row).map(async (bytes) => (await shown(bytes)).rgba),
    );
    expect(!Buffer.from(before!).equals(Buffer.from(after!))).toBe(row.drawnBy.includes('PDFium'));
  });

  test.each(ROWS)('$construct: what verifying says', ({ before, later, faults }) => {
    const file = before
      ? signPdf(updated(basePdf(), before, WITH_INFO), { party: PKI.signer, entries: '' })
      : approved();
    expect(behind(later, file)).toEqual(faults);
  });
});

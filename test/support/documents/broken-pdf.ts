// Breaks PDFs at random, mostly in their structure, so that many of them still look sound.

export type RandomBelow = (below: number) => number;

/** Makes whole numbers from 0 up to `below`, the same for the same seed. */
export function seededRandom(seed: number): RandomBelow {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const STRUCTURE = [
  ...['/MediaBox', '/CropBox', '/Rotate', '/Kids', '/Count', '/Parent', '/Type', '/Root', '/Size', '/Prev'],
  ...['startxref', 'xref', 'trailer', ' obj', 'endobj', '/ObjStm', '/W', '/Index', '/First', '/N ', '/Pages'],
  ...['%%EOF', '%PDF', 'stream', '/Linearized', '/Length', '/Filter'],
];

const TOKENS = [
  ...['/MediaBox', '/CropBox', '/Rotate', '/Kids', '/Count', '/Parent', '/Type', '/Pages', '/Page', '/Root'],
  ...[
    '/Size',
    '/Prev 1',
    '/XRefStm 1',
    '/AcroForm',
    '/Encrypt',
    '/UserUnit 2',
    '/Linearized 1',
    '/Extends 1 0 R',
  ],
  ...[
    'null',
    'true',
    '[',
    ']',
    '<<',
    '>>',
    '(',
    '%',
    '\n',
    '0',
    '-1',
    '90',
    '180',
    '270',
    '450',
    '1 0 R',
    '3 0 R',
  ],
  ...[
    '99 0 R',
    'endobj',
    'obj',
    'stream',
    'endstream',
    'xref',
    'trailer',
    'startxref',
    '/Kids[]',
    '/Count 1',
  ],
  ...['/MediaBox[0 0 10 10]', '1.5', '.5', '+5', '--5', '5.', '1e3', '#41', '/#50age', '/Type/Page'],
];

/** Returns the file with one to three changes: bytes, digits and numbers replaced, tokens overwritten or inserted, pieces omitted or repeated. */
export function brokenPdf(pdf: Buffer, random: RandomBelow): Buffer {
  let broken = pdf;
  for (let left = 1 + random(3); left > 0; left -= 1) broken = changed(broken, random);
  return broken;
}

function changed(pdf: Buffer, random: RandomBelow): Buffer {
  const at = placeIn(pdf, random);
  const token = () => Buffer.from(TOKENS[random(TOKENS.length)]!);
  const between = (piece: Buffer, to: number) =>
    Buffer.concat([pdf.subarray(0, at), piece, pdf.subarray(to)]);
  switch (random(7)) {
    case 0:
      return between(Buffer.from([random(256)]), at + 1);
    case 1:
      return between(Buffer.from([' \n\r\t%()<>[]{}/0123456789-+.#R'.charCodeAt(random(30))]), at + 1);
    case 2: {
      const piece = token();
      return between(piece, at + piece.length);
    }
    case 3:
      return between(token(), at);
    case 4:
      return between(Buffer.alloc(0), at + 1 + random(10));
    case 5: {
      const from = random(pdf.length);
      const piece = Buffer.from(pdf.subarray(from, from + random(60)));
      return between(piece, at + piece.length);
    }
    default:
      return withOtherNumber(pdf, at, random);
  }
}

function placeIn(pdf: Buffer, random: RandomBelow): number {
  if (random(4) === 0) return random(pdf.length);
  const found = pdf.indexOf(STRUCTURE[random(STRUCTURE.length)]!, random(pdf.length));
  if (found === -1) return random(pdf.length);
  return Math.max(0, Math.min(pdf.length - 1, found + random(40) - 6));
}

/** Replaces the next number by another one, of the same length if possible, so that offsets stay right. */
function withOtherNumber(pdf: Buffer, at: number, random: RandomBelow): Buffer {
  const [match] = /\d+\.?\d*/.exec(pdf.toString('latin1', at, at + 60)) ?? [];
  if (match === undefined) return pdf;
  const start = pdf.indexOf(match, at);
  const decimals = (random(2_000_000) / 1000).toFixed(random(8));
  const number = [String(random(2000)), decimals, String(-random(500)), String(random(30))][random(4)]!;
  const cut = number.slice(0, match.length + random(3)).padEnd(match.length);
  return Buffer.concat([pdf.subarray(0, start), Buffer.from(cut), pdf.subarray(start + match.length)]);
}

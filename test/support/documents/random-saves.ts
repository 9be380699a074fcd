// Makes signed files with saves after the signature that readers may understand differently, from a grammar and a seed:
// duplicate objects, sound and forged ones, and tables written in ways that some readers repair and others do not.
import { deflateSync } from 'node:zlib';
import { CATALOG, FORM, N, PAGE, PAGE_ANNOTATIONS, streamOf } from './signed-pdf.ts';

export type RandomSource = {
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
  chance(share: number): boolean;
};

/** Makes random numbers, the same for the same seed (xorshift, 32 bits). */
export function randomOf(seed: number): RandomSource {
  let state = (seed * 2_654_435_761 + 1) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (items) => items[below(items.length)]!, chance: (share) => next() < share };
}

const FORGED_TEXT = 'BT /F 12 Tf 20 150 Td (I owe you 100000 euros) Tj ET';
const OTHER_PAGE = PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '12 0 R');
/** A page tree, a page and a content of a forger, to which no object refers yet. */
const SHADOW = { pages: 70, page: 71, content: 72 } as const;

type Written = readonly [number: number, body: string | Buffer];

/** Objects that do not change the appearance. */
const SOUND: readonly Written[] = [
  [N.info, '<</Title(Contract, saved again)>>'],
  [N.page, PAGE(PAGE_ANNOTATIONS)],
  [N.catalog, CATALOG('/DSS 30 0 R')],
  [30, '<</Certs[31 0 R]>>'],
  [31, streamOf('certificate')],
  [N.form, FORM('7 0 R 9 0 R')],
  [N.content, streamOf('BT /F 12 Tf 20 150 Td (I owe you 100 euros) Tj ET')],
];

/** Objects that show something else, if a reader uses them. */
const FORGED: readonly Written[] = [
  [N.page, OTHER_PAGE],
  [N.content, streamOf(FORGED_TEXT)],
  [N.catalog, CATALOG().replace('2 0 R', `${SHADOW.pages} 0 R`)],
  [N.pages, `<</Type/Pages/Count 1/Kids[${SHADOW.page} 0 R]>>`],
  [SHADOW.pages, `<</Type/Pages/Count 1/Kids[${SHADOW.page} 0 R]>>`],
  [SHADOW.page, PAGE('').replace('4 0 R', `${SHADOW.content} 0 R`)],
  [SHADOW.content, streamOf(FORGED_TEXT)],
];

type Placed = { number: number; at: number };
export type SaveOptions = {
  /** The share of places that are written in an unusual way. */
  quirks: number;
  /** The share of objects that have a forged copy, or are forged. */
  forged: number;
};

type Save = SaveOptions & {
  random: RandomSource;
  /** The number of places that were written in an unusual way. */
  unusual: number;
  before: number;
  parts: Buffer[];
  at: number;
  placed: Placed[];
};

/** Appends one to three saves to `signed`. `unusual` counts places that a usual writer would not have written. */
export function withRandomSaves(signed: Buffer, seed: number, options: SaveOptions) {
  const random = randomOf(seed);
  let [file, unusual] = [signed, 0];
  for (let saves = 1 + random.below(3); saves > 0; saves -= 1) {
    const save = randomSaveAfter(file, random, options);
    file = Buffer.concat(save.parts);
    unusual += save.unusual;
  }
  return { file, unusual };
}

const lastSection = (bytes: Buffer): number =>
  Number([...bytes.toString('latin1').matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1] ?? 0);

function randomSaveAfter(file: Buffer, random: RandomSource, options: SaveOptions): Save {
  const before = lastSection(file);
  const save: Save = { ...options, random, unusual: 0, before, parts: [file], at: file.length, placed: [] };
  const isForged = () => isChosen(save, options.forged);
  const written = new Map<number, Written>();
  for (let count = 1 + random.below(3); count > 0; count -= 1) add(written, random.pick(SOUND));
  for (const one of FORGED) if (isForged()) add(written, one);
  for (const [number, body] of written.values()) {
    const other = FORGED.find(([known]) => known === number);
    // Adds a second copy before or after the one that the table names.
    if (other && isForged()) writeObject(save, other);
    writeObject(save, [number, body]);
    if (other && isForged()) writeObject(save, other);
  }
  if (isQuirk(save)) write(save, random.pick(['% 3 0 obj\n', '\n\n', '%\n', 'endobj\n', '%%EOF\n', '\0\0']));
  if (random.chance(0.35)) writeStreamSection(save);
  else writeTable(save);
  return save;
}

/** Decides whether something unusual is written here, and counts it. */
function isChosen(save: Save, share: number): boolean {
  const isIt = save.random.chance(share);
  if (isIt) save.unusual += 1;
  return isIt;
}

const isQuirk = (save: Save): boolean => isChosen(save, save.quirks);

/** A catalog that names certificates needs them. */
function add(written: Map<number, Written>, one: Written): void {
  written.set(one[0], one);
  if (one[0] === N.catalog || one[0] === 30)
    for (const needed of SOUND) if (needed[0] === 30 || needed[0] === 31) written.set(needed[0], needed);
}

function write(save: Save, text: string | Buffer): void {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
  save.parts.push(bytes);
  save.at += bytes.length;
}

/** Returns the usual spelling, or sometimes another one. */
const chooseSpelling = (save: Save, usual: string, ...others: readonly string[]): string =>
  isQuirk(save) ? save.random.pick(others) : usual;

function writeObject(save: Save, [number, body]: Written): void {
  save.placed.push({ number, at: save.at });
  write(
    save,
    chooseSpelling(
      save,
      `${number} 0 obj\n`,
      `0${number} 0 obj\n`,
      `${number} 00 obj\n`,
      `${number}\n0\nobj`,
      `${number} 1 obj\n`,
      `% \n${number} 0 obj\n`,
      `\r\n${number} 0 obj `,
      `${number} 0 obj% 4 0 obj\n`,
      `+${number} 0 obj\n`,
      ` ${number} 0 obj\n`,
    ),
  );
  const text = Buffer.isBuffer(body) ? body.toString('latin1') : body;
  const changed = isQuirk(save) ? save.random.pick(BODY_QUIRKS)(text) : text;
  write(save, Buffer.from(changed, 'latin1'));
  write(
    save,
    chooseSpelling(save, '\nendobj\n', '\n', ' endobj ', '\nendobj\nendobj\n', '\nendob\n', '\nend\n'),
  );
}

const BODY_QUIRKS: readonly ((text: string) => string)[] = [
  (text) => text.replace('/Contents 4 0 R', '/Contents 4 0 R/Contents 12 0 R'),
  (text) => text.replace('/Contents 4 0 R', '/Contents 12 0 R/Contents 4 0 R'),
  (text) => text.replace('/Contents 4 0 R', '/Content#73 12 0 R/Contents 4 0 R'),
  (text) => text.replace('/Contents 4 0 R', '/Contents[4 0 R 12 0 R]'),
  (text) => text.replace('/Contents 4 0 R', '/Contents 4 0 R% \n/Contents 12 0 R'),
  (text) => text.replace('/Contents 4 0 R', '/Contents 4 00 R'),
  (text) => text.replace('/Contents 4 0 R', '/Contents 4 1 R'),
  (text) => text.replace('/Pages 2 0 R', `/Pages ${SHADOW.pages} 0 R/Pages 2 0 R`),
  (text) => text.replace('/Pages 2 0 R', '/Pages 2.0 0 R'),
  (text) => text.replace(/\/Length (\d+)/, '/Length 0'),
  (text) => text.replace(/\/Length (\d+)/, (_, length) => `/Length ${Number(length) + 5}`),
  (text) => text.replace(/\/Length (\d+)/, '/Length 33 0 R'),
  (text) => text.replace('\nstream\n', '\nstream\r'),
  (text) => text.replace('\nstream\n', '\nstream \n'),
  (text) => text.replace('<<', '<<%>>\n'),
  (text) => text.replace('>>', '>'),
  (text) => text.replace('<<', '<< /Type /ObjStm '),
  (text) => `${text} ${OTHER_PAGE}`,
  (text) => text.replace('<<', '<</A(\\)/B(x'),
  (text) => text.replace('<<', '<</A<4>/B<>'),
  (text) => text.replace('<<', '<</A null/B[null]'),
  (text) => text.replace('<<', '<</A 1.2.3'),
  (text) => text.replace('<<', '<</A --1'),
  (text) => text.replace('<<', '<</A 99999999999'),
  (text) => text.replace('<<', '<</A(\r)/B(\n'),
  (text) => text.replace('<<', '<<//'),
  (text) => text.replace('<<', '<</A#00B 1'),
  (text) => text.replace('<<', '<</A true/A#42 false'),
  (text) => text.replace('<<', `<</A${'['.repeat(60)}${']'.repeat(60)}`),
  (text) => text.replace('/Resources<<', '/Resources<</XObject<</X 12 0 R>>'),
  (text) => text.replace('4 0 R', '4 0 R '),
  (text) => text.replace('4 0 R', '4%\n0 R'),
  (text) => text.replace('4 0 R', '004 0 R'),
  (text) => text.replace('/Fields[', '/Fields[9 0 R '),
  (text) => text.replace('/Type', '/Type/Type'),
];

// ── sections ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Chooses the copy of each object that the section names: the last one, or sometimes another one or none. */
function namedIn(save: Save): Placed[] {
  const { random, placed } = save;
  const named = new Map<number, number>();
  for (const { number, at } of placed) named.set(number, at);
  const all: Placed[] = [];
  for (const [number, at] of named) {
    const copies = placed.filter((one) => one.number === number);
    if (isQuirk(save)) continue;
    all.push({ number, at: random.chance(0.5) ? random.pick(copies).at : at });
  }
  const inOrder = all.sort((one, other) => one.number - other.number);
  return isQuirk(save) ? inOrder.reverse() : inOrder;
}

const sizeOf = (save: Save): string =>
  chooseSpelling(save, '200', '2', '-1', '+200', '200.0', '0200', '9999999999', 'null');

const prevOf = (save: Save): string =>
  chooseSpelling(
    save,
    `/Prev ${save.before}`,
    '',
    `/Prev ${save.before}.0`,
    `/Prev +${save.before}`,
    `/Prev 0${save.before}`,
    `/Prev ${save.before + 1}`,
    `/Prev ${save.before - 1}`,
    `/Prev ${save.before}/Prev 9`,
    `/Prev[${save.before}]`,
    '/Prev 33 0 R',
  );

const rootOf = (save: Save): string =>
  chooseSpelling(
    save,
    '/Root 1 0 R',
    '/Root 1 0 R/Root 70 0 R',
    '/Root 70 0 R/Root 1 0 R',
    '/Root 1 1 R',
    '/Root  1  0  R',
    '/#52oot 70 0 R/Root 1 0 R',
    '',
  );

function writeTable(save: Save): void {
  const start = save.at;
  write(save, chooseSpelling(save, 'xref\n', 'xref ', 'xref\r', ' xref\n', 'xref\n\n', 'xref%\n'));
  for (const { number, at } of namedIn(save)) {
    const place = String(at).padStart(10, '0');
    write(
      save,
      chooseSpelling(
        save,
        `${number} 1\n`,
        `${number} 1 `,
        `${number} 01\n`,
        `0${number} 1\n`,
        `${number} 2\n`,
        `${number - 1} 1\n`,
      ),
    );
    write(
      save,
      chooseSpelling(
        save,
        `${place} 00000 n \n`,
        `${place} 00000 n\n`,
        `${place} 00000 n\r\n`,
        `${at} 0 n\n`,
        `${place} 00001 n \n`,
        `${place} 00000 f \n`,
        `${place} 65536 n \n`,
        `${String(at + 1).padStart(10, '0')} 00000 n \n`,
        `${String(at - 1).padStart(10, '0')} 00000 n \n`,
        `% x\n${place} 00000 n \n`,
        `${place} 00000 N \n`,
        '0000000000 00000 n \n',
      ),
    );
  }
  const entries = `/Size ${sizeOf(save)}${rootOf(save)}/Info 11 0 R${prevOf(save)}`;
  write(
    save,
    chooseSpelling(
      save,
      `trailer\n<<${entries}>>\n`,
      `trailer<<${entries}>>`,
      `trailer\n<<${entries}\n`,
      `trailer\n<<>>\ntrailer\n<<${entries}>>\n`,
    ),
  );
  writeEnd(save, start);
}

function writeEnd(save: Save, start: number): void {
  const at = chooseSpelling(
    save,
    String(start),
    `0${start}`,
    String(start + 1),
    String(start - 1),
    `${start}.0`,
    String(save.before),
    '0',
  );
  write(
    save,
    chooseSpelling(
      save,
      'startxref\n',
      'startxref ',
      'startxref\r',
      'startxref\nstartxref\n',
      'x startxref\n',
      '%\nstartxref\n',
    ),
  );
  write(save, at);
  write(
    save,
    chooseSpelling(save, '\n%%EOF\n', '\n%%EOF', '\n%%EO\n', '\n%%EOF\n%%EOF\n', '\n%%EOF\n\n\n', '%%EOF\n'),
  );
}

function writeStreamSection(save: Save): void {
  const { random } = save;
  const named: (Placed | { number: number; container: number; index: number })[] = namedIn(save);
  if (random.chance(0.3)) named.push(...packedObjects(save));
  const start = save.at;
  const own = 90 + random.below(4);
  const rows = [...named, { number: own, at: start }].sort((one, other) => one.number - other.number);
  const data = Buffer.alloc(rows.length * 7);
  for (const [index, row] of rows.entries()) {
    const isPacked = 'container' in row;
    const kind = Number(chooseSpelling(save, isPacked ? '2' : '1', '0', '3', '2', '1'));
    data[index * 7] = kind;
    data.writeUInt32BE(isPacked ? row.container : row.at, index * 7 + 1);
    data.writeUInt16BE(isPacked ? row.index : 0, index * 7 + 5);
  }
  const index = rows.map(({ number }) => `${number} 1`).join(' ');
  const widths = chooseSpelling(save, '[1 4 2]', '[1 4 2 0]', '[01 4 2]', '[1 4 2.0]', '[0 5 2]', '[1 4 3]');
  const filter = random.chance(0.5) ? '/Filter/FlateDecode' : '';
  const body = filter === '' ? data : deflateSync(data);
  const entries =
    `/Type/XRef/W${widths}/Index[${chooseSpelling(save, index, `${index} 3 1`, index.replace(' 1', ' 2'), `0 ${rows.length}`)}]` +
    `/Size ${sizeOf(save)}${rootOf(save)}/Info 11 0 R${prevOf(save)}${filter}`;
  write(
    save,
    chooseSpelling(save, `${own} 0 obj\n`, `0${own} 0 obj\n`, `${own + 1} 0 obj\n`, ` ${own} 0 obj\n`),
  );
  write(save, streamOf(body, entries));
  write(save, '\nendobj\n');
  writeEnd(save, start);
}

/** Objects in an object stream, which may include forged ones that the section does not name. */
function packedObjects(save: Save) {
  const { random, forged } = save;
  const container = 80 + random.below(5);
  const plain = (items: readonly Written[]) => items.filter(([, body]) => typeof body === 'string');
  const held = [random.pick(plain(SOUND))];
  if (isChosen(save, forged)) held.push(random.pick(plain(FORGED)));
  let head = '';
  let body = '';
  for (const [number, text] of held) {
    head += `${number} ${body.length} `;
    body += `${text} `;
  }
  const entries = `/Type/ObjStm/N ${chooseSpelling(save, String(held.length), '1', '9', '0')}/First ${chooseSpelling(save, String(head.length), '0', String(head.length + 1))}${chooseSpelling(save, '', '/Extends 81 0 R')}`;
  save.placed.push({ number: container, at: save.at });
  const at = save.at;
  write(save, `${container} 0 obj\n`);
  write(save, streamOf(head + body, entries));
  write(save, '\nendobj\n');
  const rows = held.map(([number], index) => ({ number, container, index })).filter(() => !isQuirk(save));
  return [{ number: container, at }, ...rows];
}

/** Changes one or two single bytes of `file` after `from`. */
export function withMutations(file: Buffer, from: number, seed: number): Buffer {
  const random = randomOf(seed);
  let out = file;
  for (let count = 1 + random.below(2); count > 0; count -= 1) {
    const at = from + random.below(out.length - from);
    const [head, tail] = [out.subarray(0, at), out.subarray(at)];
    const other = random.pick([0, 9, 10, 13, 32, 37, 40, 47, 48, 49, 57, 60, 62, 91, 93, 0x6e, 0x66, 0x52]);
    const kind = random.below(4);
    if (kind === 0) out = Buffer.concat([head, Buffer.from([other]), tail.subarray(1)]);
    else if (kind === 1) out = Buffer.concat([head, Buffer.from([other]), tail]);
    else if (kind === 2) out = Buffer.concat([head, tail.subarray(1)]);
    else {
      const length = 1 + random.below(40);
      out = Buffer.concat([head, tail.subarray(0, length), tail]);
    }
  }
  return out;
}

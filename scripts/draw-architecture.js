// Draws docs/architecture.svg: the folders of src/ and which of them imports which, read from the imports themselves. Only the
// positions and the sentences are written here, so a new folder or a new arrow changes the picture or fails the build.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

const BOX = { width: 240, height: 84 };
/** A box may stand for several folders of src/. */
const BOXES = [
  { rooms: ['cli'], x: 360, y: 90, says: ['The command line: commands,', 'prompts, tables, JSON'] },
  {
    rooms: ['config', 'credentials', 'history'],
    x: 690,
    y: 90,
    says: ['Settings, logins, and the plans', 'of tx send with their journal'],
  },
  {
    rooms: ['api', 'client'],
    x: 30,
    y: 240,
    says: ['The contract as data; clients, over', 'HTTP, in process, and for programs'],
  },
  {
    rooms: ['service', 'testing'],
    x: 360,
    y: 240,
    says: ['The service: rules, OAuth, pages,', 'mail, events, sealing'],
  },
  {
    rooms: ['pdf', 'docx', 'placement'],
    x: 30,
    y: 390,
    says: ['Documents: converted, drawn, sealed', 'as PAdES, verified; places of fields'],
  },
  {
    rooms: ['database', 'files', 'http'],
    x: 690,
    y: 390,
    says: ['SQLite and PostgreSQL; files read', 'and requests sent within limits'],
  },
];
/** What every room uses, and is not drawn. */
const EVERYWHERE = 'common';
const OUTSIDE = [
  { x: 360, y: 20, says: 'A terminal, or a CI job' },
  { x: 30, y: 120, says: 'Another service with this API' },
  { x: 360, y: 400, says: 'Browsers: signing pages, dashboard' },
  { x: 360, y: 425, says: 'Other programs: the HTTP API' },
];
/** Calls at run time, from one box to another. */
const CALLS = [
  [
    { x: 480, y: 44 },
    { x: 480, y: 88 },
  ],
  [
    { x: 150, y: 238 },
    { x: 150, y: 146 },
  ],
  [
    { x: 480, y: 398 },
    { x: 480, y: 327 },
  ],
];
const SIZE = { width: 960, height: 500 };

/** Draws the picture; the same imports give the same picture. */
export async function architectureDrawing(root) {
  const imports = await importsBetweenRooms(join(root, 'src'));
  const pairs = new Map(
    imports
      .filter((pair) => !pair.includes(EVERYWHERE))
      .map(([from, to]) => [boxOf(from), boxOf(to)])
      .map((pair) => [pair.map(({ x, y }) => [x, y]).join(), pair]),
  );
  const parts = [
    ...[...pairs.values()].filter(([from, to]) => from !== to).map(([from, to]) => arrow(from, to)),
    ...BOXES.map(drawBox),
    ...OUTSIDE.map(drawLabel),
    ...CALLS.map(([from, to]) => line(from, to, 'call')),
  ];
  return `${OPENING}\n${parts.join('\n')}\n${LEGEND}\n</svg>\n`;
}

function boxOf(room) {
  const box = BOXES.find(({ rooms }) => rooms.includes(room));
  if (!box) throw new Error(`Give the room src/${room}/ a place in scripts/draw-architecture.js.`);
  return box;
}

/** @returns pairs of names of folders, sorted */
async function importsBetweenRooms(source) {
  const pairs = new Set();
  for (const file of await readdir(source, { recursive: true })) {
    if (!file.endsWith('.ts')) continue;
    const [from] = file.split(/[\\/]/);
    const text = await readFile(join(source, file), 'utf8');
    for (const [, path] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const [to] = normalize(join(dirname(file), path)).split(/[\\/]/);
      if (to !== from) pairs.add(`${from} ${to}`);
    }
  }
  return [...pairs].sort().map((pair) => pair.split(' '));
}

const OPENING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="system-ui, sans-serif" role="img" aria-label="The parts of esign and which of them uses which">
<defs>
<marker id="import" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 10 5 0 10z" fill="#94a3b8"/></marker>
<marker id="call" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 10 5 0 10z" fill="#0f766e"/></marker>
</defs>
<rect width="${SIZE.width}" height="${SIZE.height}" fill="#ffffff"/>`;

const LEGEND = `<g font-size="13" fill="#475569"><path d="M690 30h40" stroke="#94a3b8" stroke-width="1.5" marker-end="url(#import)"/><text x="740" y="34">imports</text>
<path d="M690 54h40" stroke="#0f766e" stroke-width="2" marker-end="url(#call)"/><text x="740" y="58">calls at run time</text></g>`;

function drawBox({ rooms, x, y, says }) {
  const lines = says.map(
    (text, index) =>
      `<text x="${x + 14}" y="${y + 50 + index * 18}" font-size="13" fill="#475569">${text}</text>`,
  );
  return `<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="8" fill="#f0fdfa" stroke="#0f766e"/>
<text x="${x + 14}" y="${y + 27}" font-size="14" font-weight="600" fill="#134e4a">${rooms.join(', ')}</text>
${lines.join('\n')}`;
}

const drawLabel = ({ x, y, says }) =>
  `<text x="${x + 14}" y="${y + 16}" font-size="14" fill="#0f172a">${says}</text>`;

/** Goes from the edge of one box to the edge of the other, along the line between their centres. */
function arrow(from, to) {
  const [a, b] = [centre(from), centre(to)];
  return line(edge(a, b), edge(b, a), 'import');
}

const centre = ({ x, y }) => ({ x: x + BOX.width / 2, y: y + BOX.height / 2 });

function edge(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const share = 1 / Math.max(Math.abs(dx) / (BOX.width / 2 + 3), Math.abs(dy) / (BOX.height / 2 + 3));
  return { x: Math.round(from.x + dx * share), y: Math.round(from.y + dy * share) };
}

function line(from, to, kind) {
  const [color, width] = kind === 'call' ? ['#0f766e', 2] : ['#94a3b8', 1.5];
  return `<path d="M${from.x} ${from.y} ${to.x} ${to.y}" stroke="${color}" stroke-width="${width}" fill="none" marker-end="url(#${kind})"/>`;
}

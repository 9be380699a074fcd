// Draws a page with PDFium and with foreign viewers (mutool, pdftoppm and, where it is installed, Ghostscript), and reports
// which of them do not show an object with a color of its own.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Need, needsCommand, unmet } from '../tools.ts';
import { shown } from './pixels.ts';

/** Red, green and blue, from 0 to 255. */
export type Color = readonly [number, number, number];

type Size = { width: number; height: number };

/** `pixels` of the longer side, and the resolution at which it has them. */
type Scale = { pixels: number; dpi: number };
type Viewer = { name: string; words: (file: string, picture: string, scale: Scale) => string[] };

/** The picture is a PPM of three bytes a pixel. `picture` has no ending, because pdftoppm adds one; it does not know units of a page. */
const VIEWERS: Viewer[] = [
  {
    name: 'mutool',
    words: (file, picture, { dpi }) => [
      ...`draw -q -r ${dpi} -F ppm -o`.split(' '),
      ...[`${picture}.ppm`, file, '1'],
    ],
  },
  {
    name: 'pdftoppm',
    words: (file, picture, { pixels }) => [
      ...`-q -f 1 -l 1 -singlefile -cropbox -scale-to ${pixels}`.split(' '),
      ...[file, picture],
    ],
  },
];

const GHOSTSCRIPT: Viewer = {
  name: 'gs',
  words: (file, picture, { dpi }) => [
    ...`-q -dBATCH -dNOPAUSE -dSAFER -dUseCropBox -sDEVICE=ppmraw -dFirstPage=1 -dLastPage=1 -r${dpi}`.split(
      ' ',
    ),
    ...[`-sOutputFile=${picture}.ppm`, file],
  ],
};

/** For `test.skipIf`. Ghostscript is used if it is installed, and never required. */
export const needsForeignViewers = (): Need => unmet(...VIEWERS.map(({ name }) => needsCommand(name)));

let hasGhostscript: boolean | undefined;

function installedViewers(): Viewer[] {
  hasGhostscript ??= spawnSync('gs', ['--version'], { stdio: 'ignore' }).error === undefined;
  return hasGhostscript ? [...VIEWERS, GHOSTSCRIPT] : VIEWERS;
}

/** Pixels of the longer side, whatever the size of the page; more for a page so flat that its lines would be too small. */
const PIXELS = { longer: 1500, shorter: 300, most: 5000 };

const pixelsOfLonger = ({ width, height }: Size): number => {
  const ratio = Math.max(width, height) / Math.min(width, height);
  return Math.round(Math.min(PIXELS.most, Math.max(PIXELS.longer, PIXELS.shorter * ratio)));
};

const LIMIT_MS = 120_000;

type Box = Size & { x: number; y: number };

/** An object drawn in a box of the displayed page, in points from its top left corner. */
export type ExpectedDrawing = { what: string; box: Box; color: Color };

/**
 * Draws the first page.
 * @param size of the page as it is displayed, in points
 * @returns a sentence for each viewer that lacks one of them
 */
export async function findUndrawn(
  pdf: Uint8Array,
  size: Size,
  drawn: readonly ExpectedDrawing[],
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-viewers-'));
  try {
    const file = join(folder, 'file.pdf');
    await writeFile(file, pdf);
    const pixels = pixelsOfLonger(size);
    const dpi = Math.round((pixels * 72 * 100) / Math.max(size.width, size.height)) / 100;
    const undrawn: string[] = [];
    const note = (name: string, said: string, picture: Picture | undefined) => {
      for (const { what, box, color } of drawn)
        if (!picture || !hasColor(picture, pixelsOf(box, size, picture), color))
          undrawn.push(`${name} does not draw the ${what}: ${said}`);
    };
    note('PDFium', '', await pictureOfPdfium(pdf, dpi));
    for (const { name, words } of installedViewers()) {
      const path = join(folder, name);
      const said = await run(name, words(file, path, { pixels, dpi }));
      const picture = readPpm(await readFile(`${path}.ppm`).catch(() => Buffer.alloc(0)));
      note(name, said, picture);
    }
    return undrawn;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @returns the last words of its error output */
const run = (program: string, words: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    let said = '';
    const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'], timeout: LIMIT_MS });
    child.stderr.on('data', (data) => {
      said = `${said}${data}`.slice(-500);
    });
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(`${signal ?? code} ${said.trim()}`));
  });

type Picture = Size & { pixels: Buffer };

async function pictureOfPdfium(pdf: Uint8Array, dpi: number): Promise<Picture | undefined> {
  try {
    const { width, height, rgba } = await shown(pdf, 0, dpi);
    return { width, height, pixels: Buffer.from(rgba.filter((_, index) => index % 4 !== 3)) };
  } catch {
    return undefined;
  }
}

function readPpm(file: Buffer): Picture | undefined {
  const head = /^P6\s+(?:#.*\n)?(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 200));
  if (!head) return undefined;
  return { width: Number(head[1]), height: Number(head[2]), pixels: file.subarray(head[0].length) };
}

/** Scales by the sizes of page and picture, because a viewer may ignore the unit of the page. */
const pixelsOf = ({ x, y, width, height }: Box, page: Size, picture: Size): Box => ({
  x: Math.max(0, Math.floor((x / page.width) * picture.width)),
  y: Math.max(0, Math.floor((y / page.height) * picture.height)),
  width: Math.ceil((width / page.width) * picture.width),
  height: Math.ceil((height / page.height) * picture.height),
});

const LEAST_PIXELS = 12;

function hasColor({ width, height, pixels }: Picture, box: Box, color: Color): boolean {
  const wanted = hueOf(color);
  let count = 0;
  for (let y = box.y; y < Math.min(height, box.y + box.height); y += 1)
    for (let x = box.x; x < Math.min(width, box.x + box.width); x += 1) {
      const at = (y * width + x) * 3;
      const hue = hueOf([pixels[at]!, pixels[at + 1]!, pixels[at + 2]!]);
      if (hue === undefined || wanted === undefined) continue;
      const apart = Math.abs(hue - wanted);
      if (Math.min(apart, 360 - apart) <= TOLERANCE) count += 1;
    }
  return count >= LEAST_PIXELS;
}

/** In degrees. Viewers convert the colors of a page that is made for print or an archive, and mostly keep the hue. */
const TOLERANCE = 20;
/** Below this share of its brightness a color is a gray. */
const LEAST_SATURATION = 0.3;

function hueOf([red, green, blue]: Color): number | undefined {
  const most = Math.max(red, green, blue);
  const span = most - Math.min(red, green, blue);
  if (span < LEAST_SATURATION * most || most < 40) return undefined;
  if (most === red) return (60 * ((green - blue) / span) + 360) % 360;
  return most === green ? 60 * ((blue - red) / span) + 120 : 60 * ((red - green) / span) + 240;
}

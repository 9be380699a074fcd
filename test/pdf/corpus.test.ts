// Every PDF of a folder of real files, against what poppler says of them.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type InspectedPdf, inspectPdf, type PdfRefusal } from '../../src/pdf/render/inspect.ts';
import { shown } from '../support/documents/pixels.ts';
import { CORPUS, needsCommand, needsCorpus } from '../support/tools.ts';

const folder = join(CORPUS, 'py-pdf-sample-files');
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.pdf')) : [];
const corpus = needsCorpus();
const poppler = needsCommand('pdfinfo');

// The two that cannot be signed, and why.
const REFUSED: Record<string, PdfRefusal> = {
  'libreoffice-writer-password.pdf': { ok: false, reason: 'password_required' },
  'unreadablemetadata.pdf': { ok: false, reason: 'unreadable' }, // truncated in the middle: its page tree is lost
};

const readable = files.filter((name) => !REFUSED[name]);

describe.skipIf(corpus.skip)(`the corpus${corpus.why}`, () => {
  test('has files', () => expect(readable.length).toBeGreaterThan(20));

  test.each(Object.entries(REFUSED))('%s is refused', async (name, refusal) => {
    expect(await inspectPdf(readFileSync(join(folder, name)), { maxPages: 1000 })).toEqual(refusal);
  });

  test.each(readable)('%s shows its first page in the size it has', async (name) => {
    const bytes = readFileSync(join(folder, name));
    const { pages } = await accepted(bytes);
    const picture = await shown(bytes, 0, 36);
    expect(Math.abs(picture.width - pages[0]!.width / 2)).toBeLessThanOrEqual(1);
    expect(Math.abs(picture.height - pages[0]!.height / 2)).toBeLessThanOrEqual(1);
  });

  test.skipIf(poppler.skip).each(readable)(`%s has the pages poppler finds${poppler.why}`, async (name) => {
    const { pages } = await accepted(readFileSync(join(folder, name)));
    expect(pages.map(unrotated)).toEqual(popplerPages(join(folder, name)));
  });
});

async function accepted(bytes: Uint8Array): Promise<InspectedPdf> {
  const inspected = await inspectPdf(bytes, { maxPages: 1000 });
  if (!inspected.ok) throw new Error(inspected.reason);
  return inspected;
}

/** pdfinfo gives the size before the turn, to a thousandth, and the turn. */
function unrotated({ width, height, rotation }: InspectedPdf['pages'][number]) {
  const [first, second] = rotation % 180 === 0 ? [width, height] : [height, width];
  return { width: rounded(first), height: rounded(second), rotation };
}

function popplerPages(path: string) {
  const text = execFileSync('pdfinfo', ['-l', '-1', path], {
    encoding: 'latin1',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const sizes = [...text.matchAll(/^Page\s+\d+ size:\s+([\d.]+) x ([\d.]+) pts/gm)];
  const turns = [...text.matchAll(/^Page\s+\d+ rot:\s+(\d+)/gm)];
  return sizes.map(([, width, height], index) => ({
    width: rounded(Number(width)),
    height: rounded(Number(height)),
    rotation: Number(turns[index]![1]),
  }));
}

/** pdfinfo prints six digits in all: hundredths are what both can be asked for. */
function rounded(points: number): number {
  return Math.round(points * 100) / 100;
}

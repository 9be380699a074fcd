// Compares what this reader takes a file for with what PDFium, MuPDF, Poppler and qpdf show of it: thousands of files whose later saves are
// written from a grammar, or changed byte by byte. What verify calls valid shows in each of them what it showed when it was signed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareVersions } from '../../../src/pdf/render/comparison/compare-versions.ts';
import { signedVersions } from '../../../src/pdf/verify/rules/unchanged-appearance.ts';
import { verifyPdf } from '../../../src/pdf/verify/verify.ts';
import { withMutations, withRandomSaves } from '../../support/documents/random-saves.ts';
import { basePdf, certifying, NOW, signPdf } from '../../support/documents/signed-pdf.ts';
import { PKI, sealedPdf, trusting } from '../../support/documents/verification.ts';
import { roundsOf } from '../../support/random.ts';
import { FULL, SHARE } from '../../support/tier.ts';
import { needsCommand, unmet } from '../../support/tools.ts';

/** All of them in the full tier; another part of them at each landing. */
const FILES = roundsOf({ short: 300, landing: 400, full: 5000 });
const FIRST = FULL ? 1 : 1 + FILES * (SHARE % 12);
const trust = trusting(PKI.root);
const signed = [
  signPdf(basePdf(), { party: PKI.signer, entries: '' }),
  signPdf(basePdf(), { party: PKI.signer, entries: certifying(2) }),
  sealedPdf(),
];

type Case = { seed: number; signed: Buffer; file: Buffer; isUnusual: boolean };

function caseOf(seed: number): Case {
  const base = signed[seed % signed.length]!;
  const isMutated = seed % 4 === 0;
  const quirks = isMutated ? 0 : [0.005, 0.01, 0.02, 0.05][(seed >> 2) % 4]!;
  const forged = [0, 0.02, 0.1][(seed >> 4) % 3]!;
  const { file, unusual } = withRandomSaves(base, seed, { quirks, forged });
  return {
    seed,
    signed: base,
    file: isMutated ? withMutations(file, base.length, seed) : file,
    isUnusual: isMutated || unusual > 0,
  };
}

/** Tells whether the structure of the file is what its signatures allow. */
function isSound(file: Buffer): boolean {
  const report = verifyPdf(file, { trust, now: NOW });
  return (
    report.ok && report.signatures.length > 0 && report.signatures.every(({ faults }) => faults.length === 0)
  );
}

/** Draws all signed versions, also those of which verifying draws nothing. */
async function isShownAsSigned(file: Buffer): Promise<boolean> {
  for (const { version } of versionsOf(file)) {
    const compared = await compareVersions(file, { ...version(), pages: [0] });
    if (!compared.ok || compared.differences.length > 0) return false;
  }
  return true;
}

function versionsOf(file: Buffer) {
  const report = verifyPdf(file, { trust, now: NOW });
  return report.ok ? signedVersions(report) : [];
}

/** Tells whether nothing of a file would be drawn, although PDFium repairs its tables. It draws every page of a file that it repairs. */
async function isRepairedUnseen(file: Buffer): Promise<boolean> {
  for (const { isUntouched, version } of versionsOf(file)) {
    if (!isUntouched()) continue;
    const compared = await compareVersions(file, { ...version(), pages: [] });
    if (!compared.ok || compared.compared > 0) return true;
  }
  return false;
}

type QpdfJson = {
  pages: { contents: string[] }[];
  qpdf: [unknown, Record<string, { stream?: { data: string } }>];
};

const sound: Case[] = [];
/** A usual program would not have written these cases; some others are among them. */
const unusual: Case[] = [];
beforeAll(() => {
  for (let seed = FIRST; seed < FIRST + FILES; seed += 1) {
    const item = caseOf(seed);
    if (isSound(item.file)) sound.push(item);
  }
  unusual.push(...sound.filter(({ isUnusual }, index) => isUnusual || index % 20 === 0));
});

describe(`${FILES} files with later saves that readers may understand differently`, () => {
  test('some are accepted and some are not: both sides are tried', () => {
    expect(sound.length).toBeGreaterThan(FILES / 20);
    expect(sound.length).toBeLessThan(FILES / 2);
  });

  test('PDFium draws what is accepted as it was signed', async () => {
    const different: number[] = [];
    for (const { seed, file } of unusual) if (!(await isShownAsSigned(file))) different.push(seed);
    expect(different).toEqual([]);
  });

  test('PDFium reads the tables of a file of which nothing is drawn as they are written', async () => {
    const untouched = sound.filter(({ file }) => versionsOf(file).some(({ isUntouched }) => isUntouched()));
    expect(untouched.length).toBeGreaterThan(0);
    expect(sound.length - untouched.length).toBeGreaterThan(0);
    const repaired: number[] = [];
    for (const { seed, file } of untouched) if (await isRepairedUnseen(file)) repaired.push(seed);
    expect(repaired).toEqual([]);
  });

  const tools = unmet(needsCommand('mutool'), needsCommand('pdftotext'), needsCommand('qpdf'));
  describe.skipIf(tools.skip)(`read by other programs${tools.why}`, () => {
    let folder = '';
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'esign-readers-'));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const pathOf = (bytes: Buffer): string => {
      const path = join(folder, 'file.pdf');
      writeFileSync(path, bytes);
      return path;
    };

    const READERS: Record<string, (path: string) => string> = {
      // The hash of the picture of every page.
      mutool: (path) => {
        const { stdout, stderr } = spawnSync('mutool', ['draw', '-s', '5', '-r', '40', path], {
          encoding: 'utf8',
        });
        return (`${stdout}${stderr}`.match(/[0-9a-f]{32}/g) ?? []).join(' ');
      },
      pdftotext: (path) => spawnSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }).stdout,
      // The contents of every page.
      qpdf: (path) => {
        const options = ['--json=2', '--json-stream-data=inline', '--decode-level=generalized', path];
        const { stdout } = spawnSync('qpdf', options, { encoding: 'utf8', maxBuffer: 2 ** 26 });
        const { pages, qpdf }: QpdfJson = JSON.parse(stdout || '{"pages":[],"qpdf":[{},{}]}');
        const contentOf = (reference: string) => qpdf[1][`obj:${reference}`]?.stream?.data;
        return pages.map(({ contents }) => contents.map(contentOf).join(' ')).join(' | ');
      },
    };

    test.each(Object.keys(READERS))('%s shows what is accepted as it was signed', (name) => {
      const read = READERS[name]!;
      const shown = new Map(signed.map((base) => [base, read(pathOf(base))]));
      const different = unusual.filter((item) => read(pathOf(item.file)) !== shown.get(item.signed));
      expect(different.map(({ seed }) => seed)).toEqual([]);
    });
  });
});

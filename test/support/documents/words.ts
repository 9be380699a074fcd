// Finds the words of a page with poppler and with mutool, and the words that are not drawn.
import { execFileSync } from 'node:child_process';
import type { Picture } from './pixels.ts';

export type Word = { text: string; left: number; top: number; right: number; bottom: number };
export type WordPage = { width: number; height: number; words: Word[] };

/** @param pages from 1, as poppler counts @param options for pdftotext */
export function readWords(
  path: string,
  pages: { first: number; last: number },
  options: readonly string[] = [],
): WordPage[] {
  const range = ['-f', String(pages.first), '-l', String(pages.last)];
  const html = execFileSync('pdftotext', ['-bbox', ...options, ...range, path, '-'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  });
  return html.split('<page ').slice(1).map(wordPage);
}

function wordPage(html: string): WordPage {
  const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(html) ?? [];
  const rows = html.matchAll(/<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)<\/word>/g);
  const words = [...rows].map(([, left, top, right, bottom, text]) => ({
    text: withoutEntities(text!),
    left: Number(left),
    top: Number(top),
    right: Number(right),
    bottom: Number(bottom),
  }));
  return { width: Number(width), height: Number(height), words };
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const withoutEntities = (xml: string): string =>
  xml.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal));
  });

/** The words of all pages as mutool finds them: the letters between two spaces of a line. */
export function readWordsByMutool(path: string): WordPage[] {
  const xml = execFileSync('mutool', ['draw', '-q', '-F', 'stext', path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 512 * 1024 * 1024,
  });
  return xml
    .split('<page ')
    .slice(1)
    .map((page) => {
      const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(page) ?? [];
      const words = page.split('<line ').slice(1).flatMap(wordsOfLine);
      return { width: Number(width), height: Number(height), words };
    });
}

function wordsOfLine(line: string): Word[] {
  const words: Word[] = [];
  let word: Word | undefined;
  for (const [, quad, letter] of line.matchAll(/<char quad="([^"]*)"[^>]* c="([^"]*)"/g)) {
    const text = withoutEntities(letter!);
    if (text.trim() === '') word = undefined;
    else {
      const sides = quad!.split(' ').map(Number);
      const [xs, ys] = [0, 1].map((from) => sides.filter((_, index) => index % 2 === from));
      if (!word) {
        word = { text: '', left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
        words.push(word);
      }
      word.text += text;
      word.left = Math.min(word.left, ...xs!);
      word.right = Math.max(word.right, ...xs!);
      word.top = Math.min(word.top, ...ys!);
      word.bottom = Math.max(word.bottom, ...ys!);
    }
  }
  return words;
}

/** Returns the words in whose box every pixel has the same color. Words outside of the page, and mere points and strokes, do not count. */
export function wordsWithoutInk(page: WordPage, picture: Picture): string[] {
  const scale = picture.width / page.width;
  return page.words
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .filter(({ left, top, right, bottom }) => {
      const [x0, x1] = [Math.max(0, left * scale), Math.min(picture.width - 1, right * scale)].map(
        Math.floor,
      );
      const [y0, y1] = [Math.max(0, top * scale), Math.min(picture.height - 1, bottom * scale)].map(
        Math.floor,
      );
      if (x1! - x0! < 1 || y1! - y0! < 1) return false;
      return !hasInk(picture, x0!, y0!, x1!, y1!);
    })
    .map(({ text }) => text);
}

function hasInk(picture: Picture, x0: number, y0: number, x1: number, y1: number): boolean {
  const [red, green, blue] = picture.at(x0, y0) as [number, number, number];
  for (let y = y0; y <= y1; y += 1)
    for (let x = x0; x <= x1; x += 1) {
      const pixel = picture.at(x, y) as [number, number, number];
      if (Math.abs(pixel[0] - red) + Math.abs(pixel[1] - green) + Math.abs(pixel[2] - blue) > 60) return true;
    }
  return false;
}

// Prints the help that the build has prepared, for the launcher (bin/esign.js), which calls it before it loads the program.
// Bundled by itself into dist/help.cjs. It must import nothing but the layout of pages; the program handles words that it does
// not know exactly, and any error in its data.
import { fstatSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { HelpSection } from '../command/help-page.ts';
import { colorLevel } from '../terminal/color.ts';
import { layOut, pageWidth } from '../terminal/page-layout.ts';

/** Where a page is, in bytes behind the index: its JSON up to `text`, then what a pipe gets. */
export type HelpPlace = { start: number; text: number; end: number };

/** The first line of dist/help.data, by the JSON of the words that were typed. */
export type HelpIndex = Record<string, HelpPlace>;

/** Prints a page of help. @returns false when the program has to answer */
export function answerHelp(words: readonly string[]): boolean {
  let answer: Uint8Array | undefined;
  try {
    const file = readFileSync(join(__dirname, 'help.data'));
    const behind = file.indexOf('\n') + 1;
    const index = JSON.parse(file.toString('utf8', 0, behind)) as HelpIndex;
    const place = index[JSON.stringify(words)];
    if (place) answer = layOutPage(file.subarray(behind), place);
  } catch {
    return false;
  }
  return answer !== undefined && writeAnswer(answer);
}

/** Lays out the page. It makes process.stdout only for a terminal, because that takes as long as everything else. */
function layOutPage(pages: Buffer, { start, text, end }: HelpPlace): Uint8Array {
  const terminal = fstatSync(1).isCharacterDevice() && process.stdout.isTTY ? process.stdout : undefined;
  const isBold = colorLevel('auto', terminal !== undefined, process.env) > 0;
  const wanted = Number(process.env.COLUMNS);
  const columns = Number.isSafeInteger(wanted) && wanted > 0 ? wanted : terminal?.columns || undefined;
  if (columns === undefined && !isBold) return pages.subarray(text, end);
  const page = JSON.parse(pages.toString('utf8', start, text)) as readonly HelpSection[];
  return Buffer.from(`${layOut(page, { width: pageWidth(columns), bold: isBold ? bold : plain })}\n`);
}

function writeAnswer(answer: Uint8Array): boolean {
  let rest = answer;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EAGAIN') return process.stdout.write(rest) || true;
    // It is no error when the reader has closed the pipe.
    return code === 'EPIPE';
  }
}

const bold = (text: string): string => `\u001b[1m${text}\u001b[22m`;
const plain = (text: string): string => text;

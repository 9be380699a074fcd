// Splits the letters of a page into words, and into underscores and dots that make a line to write on.
import type { Box } from '../../geometry.ts';
import { boxAround, type CharacterBox } from '../characters.ts';
import { around, isSameLine } from '../lines.ts';
import type { PageLetters } from '../page-letters.ts';
import type { Across } from './drawn-lines.ts';

export type PageWord = Box & { text: string };

export type SplitLetters = { words: PageWord[]; written: Across[] };

/** Where an underscore and a dot are between the top and the bottom of their box. */
const HEIGHTS: Record<string, number> = { _: 0.9, '\uff3f': 0.9, '.': 0.8, '\u2026': 0.8, '\u00b7': 0.6 };

/** Fewer are punctuation. */
const FEWEST: Record<string, number> = { _: 3, '\uff3f': 2, '.': 8, '\u2026': 4, '\u00b7': 8 };

/** Times the height of a letter: what may be between two of them. */
const GAP = 0.8;

type Run = { letter: string; count: number; place: CharacterBox; from: number; to: number };

export function splitLetters({ letters, placeOf }: PageLetters): SplitLetters {
  const places = letters.map(({ kind }, index) =>
    kind === 'letter' || kind === 'hyphen' ? uprightAt(placeOf, index) : undefined,
  );
  const runs = runsOf(letters, places);
  const isInRun = new Uint8Array(letters.length);
  for (const { letter, from, to } of runs)
    for (let index = from; index <= to; index += 1) if (letters[index]?.text === letter) isInRun[index] = 1;
  return { words: wordsOf(letters, places, isInRun), written: runs.map(lineOf) };
}

/** A line that is turned is none to write on. */
function uprightAt(placeOf: PageLetters['placeOf'], index: number): CharacterBox | undefined {
  const place = placeOf(index);
  return place?.angle === 0 ? place : undefined;
}

type Places = readonly (CharacterBox | undefined)[];

function runsOf(letters: PageLetters['letters'], places: Places): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  for (const [index, { text, kind }] of letters.entries()) {
    if (kind === 'space' || kind === 'gap') continue;
    const place = places[index];
    const isPart = place && HEIGHTS[text] !== undefined;
    if (run && isPart && run.letter === text && continues(run.place, place)) {
      run = { ...run, count: run.count + 1, place: around(run.place, place), to: index };
      continue;
    }
    if (run && run.count >= (FEWEST[run.letter] ?? 0)) runs.push(run);
    run = isPart ? { letter: text, count: 1, place, from: index, to: index } : undefined;
  }
  if (run && run.count >= (FEWEST[run.letter] ?? 0)) runs.push(run);
  return runs;
}

const continues = (run: CharacterBox, next: CharacterBox): boolean =>
  isSameLine(run, next) && next.from - run.to < GAP * (next.bottom - next.top);

function lineOf({ letter, place }: Run): Across {
  const { top, bottom, from, to } = place;
  return { y: top + (HEIGHTS[letter] ?? 1) * (bottom - top), from, to };
}

function wordsOf(letters: PageLetters['letters'], places: Places, isInRun: Uint8Array): PageWord[] {
  const words: PageWord[] = [];
  let text = '';
  let place: CharacterBox | undefined;
  const end = (): void => {
    if (place) words.push({ text, ...boxAround(place) });
    text = '';
    place = undefined;
  };
  for (const [index, letter] of letters.entries()) {
    const at = isInRun[index] ? undefined : places[index];
    if (!at || (place && !isSameLine(place, at))) end();
    if (!at) continue;
    text += letter.text;
    place = place ? around(place, at) : at;
  }
  end();
  return words;
}

// Finds names for options that the form only numbers: the words that a page has after each button.
import type { Box } from '../pdf/geometry.ts';
import type { ChoiceButton } from './choice-places.ts';

type Word = Box & { text: string };

/** Names that programs give to options by themselves. */
const MADE_BY_PROGRAM = /^(?:choice|option|opt|radio|button|value|item|auswahl)?[ _-]?\d+$/i;

/** How far after its button a name begins, and how wide the gaps between its words are, in heights of a word. */
const FIRST_GAP = 2.5;
const GAP = 1;
const LONGEST = 80;

/**
 * Finds a name for each option.
 * @param words of the page, in reading order @param others boxes of other buttons, where a name ends
 * @returns undefined where the options have names already, or the page has no different names for all of them
 */
export function namesOfButtons(
  buttons: readonly ChoiceButton[],
  words: readonly Word[],
  others: readonly Box[],
): Map<string, string> | undefined {
  const names = new Map<string, string>();
  for (const { box, option } of buttons) {
    if (option === undefined || names.has(option)) continue;
    if (!MADE_BY_PROGRAM.test(option)) return undefined;
    const name = wordsAfter(box, words, others);
    if (name === '' || [...names.values()].includes(name)) return undefined;
    names.set(option, name);
  }
  return names.size > 0 ? names : undefined;
}

function wordsAfter(button: Box, words: readonly Word[], others: readonly Box[]): string {
  const middle = button.y + button.height / 2;
  const isOnLine = ({ y, height }: Box) => y < middle && middle < y + height;
  const right = button.x + button.width;
  const end = others
    .filter((other) => isOnLine(other) && other.x >= right)
    .reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY);
  const after = words
    .filter((word) => isOnLine(word) && word.x >= right - 1 && word.x < end)
    .sort((one, other) => one.x - other.x);
  const named: string[] = [];
  let at = right;
  for (const { x, width, height, text } of after) {
    if (x - at > (named.length === 0 ? FIRST_GAP : GAP) * height) break;
    named.push(text);
    at = x + width;
  }
  const name = named.join(' ').replace(/[\s,;:.]+$/u, '');
  return name.length <= LONGEST ? name : '';
}

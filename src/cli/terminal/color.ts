// Decides whether a stream gets color, separately for stdout and stderr. The detection of chalk, ora, cli-table3 and @inquirer
// is not used, because they differ. See decisions/0009.
import type { ChalkInstance } from 'chalk';
import { accessibilityOf, type Variables } from '../../config/environment.ts';

export type ColorSetting = 'auto' | 'always' | 'never';

export type Paint = Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>;

/** The levels of chalk: none, 16 colors, 256, all. */
export type ColorLevel = 0 | 1 | 2 | 3;

const same = (text: string): string => text;

export const PLAIN: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/**
 * Chooses the level, by the first of these that is set: `--color` · NO_COLOR · FORCE_COLOR · CLICOLOR_FORCE · no terminal,
 * TERM=dumb or CLICOLOR=0 · what the terminal supports.
 */
export function colorLevel(wish: ColorSetting, isTerminal: boolean, variables: Variables): ColorLevel {
  const { NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM } = variables;
  if (wish === 'never') return 0;
  if (wish === 'always') return levelOf(variables);
  if (NO_COLOR) return 0; // no-color.org: when present and not empty
  if (FORCE_COLOR !== undefined) return forced(FORCE_COLOR, variables);
  if (CLICOLOR_FORCE && CLICOLOR_FORCE !== '0') return levelOf(variables);
  return isTerminal && TERM !== 'dumb' && CLICOLOR !== '0' ? levelOf(variables) : 0;
}

/** Reads FORCE_COLOR: 0 and false are none; 1, 2 and 3 are that level; any other value means color. */
function forced(value: string, variables: Variables): ColorLevel {
  if (value === '0' || value === 'false') return 0;
  return /^[123]$/.test(value) ? (Number(value) as ColorLevel) : levelOf(variables);
}

function levelOf(variables: Variables): 1 | 2 | 3 {
  const { COLORTERM, TERM } = variables;
  if (accessibilityOf(variables).usesOwnColors) return 1;
  if (COLORTERM === 'truecolor' || COLORTERM === '24bit') return 3;
  return TERM?.includes('256') ? 2 : 1;
}

/** Reads `--color` from the words, for messages that are printed before the words are parsed. */
export function readColorSetting(words: readonly string[]): ColorSetting {
  const at = words.findLastIndex((word) => word === '--color' || word.startsWith('--color='));
  const value = words[at]?.includes('=') ? words[at]?.slice('--color='.length) : words[at + 1];
  return at >= 0 && (value === 'always' || value === 'never') ? value : 'auto';
}

/**
 * Colors of the 256 that can be read on black and on white alike, with a contrast of at least 3.5 : 1. With 16 colors the
 * palette of the terminal applies, whose yellow cannot be read on white, so magenta is used instead.
 */
export const READABLE_COLORS = { red: 160, green: 28, yellow: 130, cyan: 30 } as const;

/** @param variables say whether text may be dimmed, which is hard to read */
export async function createPaint(level: ColorLevel, variables: Variables = {}): Promise<Paint> {
  if (level === 0) return PLAIN;
  const { Chalk } = await import('chalk');
  const chalk: ChalkInstance = new Chalk({ level });
  const ink = (color: keyof typeof READABLE_COLORS, basic: ChalkInstance) =>
    level === 1
      ? (text: string) => basic(text)
      : (text: string) => chalk.ansi256(READABLE_COLORS[color])(text);
  return {
    bold: (text) => chalk.bold(text),
    dim: accessibilityOf(variables).usesOwnColors ? same : (text) => chalk.dim(text),
    red: ink('red', chalk.red),
    green: ink('green', chalk.green),
    yellow: ink('yellow', chalk.magenta),
    cyan: ink('cyan', chalk.cyan),
  };
}

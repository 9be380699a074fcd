// Whether a stream gets colour is decided once, here. chalk by itself ignores NO_COLOR and reads argv.
import type { ChalkInstance } from 'chalk';
import type { Variables } from '../../config/environment.ts';

export type ColorWish = 'auto' | 'always' | 'never';

export type Paint = Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>;

const same = (text: string): string => text;

export const PLAIN: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/** @returns 0 for none, otherwise chalk's level */
export function colorLevel(wish: ColorWish, isTerminal: boolean, variables: Variables): 0 | 1 | 2 | 3 {
  if (wish === 'never') return 0;
  if (wish === 'always') return levelOf(variables);
  if (variables.NO_COLOR) return 0; // no-color.org: when present and not empty
  if (variables.FORCE_COLOR && variables.FORCE_COLOR !== '0') return levelOf(variables);
  if (!isTerminal || variables.TERM === 'dumb') return 0;
  return levelOf(variables);
}

function levelOf({ COLORTERM, TERM }: Variables): 1 | 2 | 3 {
  if (COLORTERM === 'truecolor' || COLORTERM === '24bit') return 3;
  return TERM?.includes('256') ? 2 : 1;
}

export async function createPaint(level: 0 | 1 | 2 | 3): Promise<Paint> {
  if (level === 0) return PLAIN;
  const { Chalk } = await import('chalk');
  const chalk: ChalkInstance = new Chalk({ level });
  return {
    bold: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    red: (text) => chalk.red(text),
    green: (text) => chalk.green(text),
    yellow: (text) => chalk.yellow(text),
    cyan: (text) => chalk.cyan(text),
  };
}

// Makes the theme of questions from the colors of their stream, because @inquirer ignores NO_COLOR and --color. It must set every
// color of its prompts, so that no color appears where none is wanted.
import type { Paint } from './color.ts';

type Keys = readonly (readonly [key: string, action: string])[];

/**
 * Makes one theme for all kinds of questions; each uses its part.
 * @param hasWayBack whether Esc goes back to a question, which only lists have room to say
 */
export function promptTheme(paint: Paint, hasWayBack: () => boolean) {
  return {
    prefix: { idle: paint.cyan('?'), done: paint.green('✓') },
    spinner: { interval: 80, frames: ['·'] },
    icon: {
      cursor: '›',
      checked: paint.green('[x]'),
      unchecked: '[ ]',
      disabledChecked: '[x]',
      disabledUnchecked: '[-]',
    },
    style: {
      answer: paint.cyan,
      message: (text: string) => paint.bold(text),
      error: (text: string) => paint.red(`> ${text}`),
      defaultAnswer: (text: string) => paint.dim(`(${text})`),
      confirmDefault: (text: string) => text.toUpperCase(),
      help: paint.dim,
      highlight: paint.cyan,
      key: (text: string) => paint.cyan(`<${text}>`),
      disabled: paint.dim,
      description: paint.dim,
      maskedText: '[input is hidden]',
      keysHelpTip: (keys: Keys) => {
        const all: Keys = hasWayBack() ? [...keys, ['esc', 'back']] : keys;
        return paint.dim(all.map(([key, action]) => `${key} ${action}`).join(' · '));
      },
    },
  };
}

// The looks of a question, from the paint of the stream it is asked on: @inquirer colours by itself, whatever
// NO_COLOR and --color say. Must name every colour that its prompts have, so that no paint means no colour.
import type { Paint } from './color.ts';

type Keys = readonly (readonly [key: string, action: string])[];

/** One theme for every kind of question; each takes what it knows. */
export function promptTheme(paint: Paint) {
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
      keysHelpTip: (keys: Keys) => paint.dim(keys.map(([key, action]) => `${key} ${action}`).join(' · ')),
    },
  };
}

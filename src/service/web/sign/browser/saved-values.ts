// The names of values in a form, and what the service says about those that it was sent.
import type { Told } from './ask.ts';
import { type Control, controlOf, tellWrong } from './fields.ts';
import { tellLeft } from './refresh.ts';

const PREFIX = 'value-';

export const nameOf = ({ dataset }: Control): string => `${PREFIX}${dataset.control}`;

export const controlNamed = (name: string): Control | undefined => controlOf(name.slice(PREFIX.length));

/** @param names of the values that were sent: of the others nothing is known */
export function showTold({ leftText, wrong }: Told, names: readonly string[]): void {
  for (const name of names) {
    const control = controlNamed(name);
    if (control) tellWrong(control, wrong[control.dataset.control]);
  }
  tellLeft(leftText);
}

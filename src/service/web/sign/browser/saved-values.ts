// Names values in a form, and shows what the service answers about them.
import type { Told } from './ask.ts';
import { type Control, controlOf, tellWrong } from './fields.ts';
import { tellLeft } from './refresh.ts';

const PREFIX = 'value-';

export const nameOf = ({ dataset }: Control): string => `${PREFIX}${dataset.control}`;

export const controlNamed = (name: string): Control | undefined => controlOf(name.slice(PREFIX.length));

/** @param sent the controls whose values were sent: of the others nothing is known */
export function showTold({ leftText, wrong }: Told, sent: readonly Control[]): void {
  for (const control of sent) tellWrong(control, wrong[control.dataset.control]);
  tellLeft(leftText);
}

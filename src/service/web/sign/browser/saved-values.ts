// Names values in a form, and shows what the service answers about them.

import { type Control, controlOf, showFieldError } from './fields.ts';
import { showLeft } from './refresh.ts';
import type { FormState } from './requests.ts';

const PREFIX = 'value-';

export const controlNameIn = ({ dataset }: Control): string => `${PREFIX}${dataset.control}`;

export const controlNamed = (name: string): Control | undefined => controlOf(name.slice(PREFIX.length));

/** @param sent the controls whose values were sent: of the others nothing is known */
export function showSaveResult({ leftText, wrong }: FormState, sent: readonly Control[]): void {
  for (const control of sent) showFieldError(control, wrong[control.dataset.control]);
  showLeft(leftText);
}

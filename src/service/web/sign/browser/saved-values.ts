// Names values in a form, and shows what the service answers about them.

import {
  type Control,
  controlOf,
  isSignature,
  markChanging,
  showFieldError,
  showSmall,
  valueIn,
} from './fields.ts';
import { replaceBoxes, showLeft } from './refresh.ts';
import type { FormState } from './requests.ts';

const PREFIX = 'value-';

export const controlNameIn = ({ dataset }: Control): string => `${PREFIX}${dataset.control}`;

export const controlNamed = (name: string): Control | undefined => controlOf(name.slice(PREFIX.length));

/** @param sent the controls with the values that were sent: of the others nothing is known */
export function showSaveResult(
  { leftText, wrong, small, boxes }: FormState,
  sent: readonly (readonly [Control, string])[],
): void {
  // Signatures are drawn anew as a whole, and what was typed meanwhile is saved next.
  const drawn = sent.filter(([control, value]) => !isSignature(control) && valueIn(control) === value);
  const part = new DOMParser().parseFromString(boxes, 'text/html');
  replaceBoxes(part, new Set(drawn.map(([control]) => control.dataset.control)));
  for (const [control] of drawn) markChanging(control, false);
  for (const [control] of sent) {
    showFieldError(control, wrong[control.dataset.control]);
    showSmall(control, small[control.dataset.control]);
  }
  showLeft(leftText);
}

// Defines what is read of the form of a document (AcroForm, ISO 32000-1, 12.7): its fields, and where each stands on the pages.
import type { Box } from '../../geometry.ts';
import type { TooComplex } from '../../limits.ts';

export type FormFieldKind = 'text' | 'checkbox' | 'radio' | 'button' | 'choice' | 'signature' | 'unknown';

/**
 * An `editable` choice takes other texts than its options; `multiple` options can be chosen. A script that is not understood has
 * `formatted`, `validated` or `calculated` the text. An `acting` field does something on other events, and the text of an `aligned` one
 * does not begin at the left edge.
 */
export type FormTrait =
  | 'required'
  | 'readonly'
  | 'multiline'
  | 'password'
  | 'file'
  | 'rich'
  | 'comb'
  | 'editable'
  | 'multiple'
  | 'formatted'
  | 'validated'
  | 'calculated'
  | 'acting'
  | 'aligned'
  | 'signed';

/** A standard script of forms gives the text of a field this format. */
export type FormFormat = { kind: 'date'; pattern: string } | { kind: 'number' };

export type FormOption = {
  /** The stored value is an export value, or the name of a state of a button. */
  value: string;
  /** A person reads this text. */
  text: string;
};

/** A place is named by its position in the list of annotations of its page; both count from 0. */
export type FormPlace = { page: number; annotation: number };

/** `box` is in displayed points and may reach beyond the page. */
export type FormWidget = FormPlace & {
  box: Box;
  /** A hidden field is not shown on the page. */
  isHidden: boolean;
  /** A button with states is on in this one. */
  state?: string | undefined;
};

export type AcroFormField = {
  /** A full name has the names of all fields above it, with points between them. */
  name: string;
  /** A reader shows this to a person (/TU). */
  tooltip?: string | undefined;
  kind: FormFieldKind;
  traits: FormTrait[];
  /** There are none in an empty field, and several only where several options are chosen. */
  values: string[];
  /** A choice has them, and buttons with states in the order of their widgets. */
  options: FormOption[];
  maxLength?: number | undefined;
  format?: FormFormat | undefined;
  range?: { min?: number | undefined; max?: number | undefined } | undefined;
  /** A text without a size is as large as it fits. */
  fontSize?: number | undefined;
  /** A text without a color is black; others have `#rrggbb`. */
  fontColor?: string | undefined;
  /** A field that stands on no page has none. */
  widgets: FormWidget[];
};

export type FormRead =
  /** `isSigned` says that a signature field has a signature. */
  | { ok: true; fields: AcroFormField[]; isSigned: boolean }
  /** The fields of a `dynamic` form are in XFA alone. */
  | { ok: false; reason: 'no_form' | 'dynamic' | 'unreadable' | 'too_large' }
  | TooComplex;

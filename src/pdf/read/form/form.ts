// Defines what is read of the form of a document (AcroForm, ISO 32000-1, 12.7): its fields, and where each stands on the pages.
import type { Box } from '../../geometry.ts';
import type { TooComplex } from '../../limits.ts';

export type FormFieldKind = 'text' | 'checkbox' | 'radio' | 'button' | 'choice' | 'signature' | 'unknown';

/**
 * What holds of a field. `editable`: a choice that takes other texts than its options. `multiple`: several options can be chosen.
 * `formatted`, `validated`, `calculated`: a script does it that is not understood. `acting`: it does something on other events. `aligned`: its text
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

/** One place of a field. It is named by its position in the list of annotations of its page; both count from 0. */
export type FormPlace = { page: number; annotation: number };

/** `box` is in displayed points and may reach beyond the page. */
export type FormWidget = FormPlace & {
  box: Box;
  /** It is not shown on the page. */
  isHidden: boolean;
  /** A button with states is on in this one. */
  state?: string | undefined;
};

export type AcroFormField = {
  /** Fully qualified: the names of all fields above it, with points between them. */
  name: string;
  /** A reader shows this to a person (/TU). */
  tooltip?: string | undefined;
  kind: FormFieldKind;
  traits: FormTrait[];
  /** Empty for none; several only where several options are chosen. */
  values: string[];
  /** Of a choice, and of buttons with states in the order of their widgets. */
  options: FormOption[];
  maxLength?: number | undefined;
  format?: FormFormat | undefined;
  range?: { min?: number | undefined; max?: number | undefined } | undefined;
  /** Absent: as large as it fits. */
  fontSize?: number | undefined;
  /** `#rrggbb`; absent: black. */
  fontColor?: string | undefined;
  /** None for a field that stands on no page. */
  widgets: FormWidget[];
};

export type FormRead =
  /** `isSigned`: a signature field has a signature. */
  | { ok: true; fields: AcroFormField[]; isSigned: boolean }
  /** `dynamic`: its fields are in XFA alone. */
  | { ok: false; reason: 'no_form' | 'dynamic' | 'unreadable' | 'too_large' }
  | TooComplex;

// Defines the plan of values to draw into a document, and its result.
import type { Box, Size } from '../geometry.ts';
import type { TooComplex } from '../limits.ts';

/** The place is in displayed points, and `page` counts from 0 (see `geometry.ts`). */
export type StampField = Box & {
  page: number;
  type:
    | 'text'
    | 'signature'
    | 'person_name'
    | 'email'
    | 'initials'
    | 'date'
    | 'number'
    | 'checkbox'
    | 'select'
    | 'radio';
  /** The text is drawn as it is. Ink is `data:image/png;base64,…`; a checkbox has `true` or `false`. Nothing is drawn for an empty value. */
  value: string;
  label: string;
  /** Only a typed signature has it. */
  face?: 'handwriting' | 'script' | undefined;
  font_family: string;
  font_size: number;
  font_color: string;
  is_bold: boolean;
  is_italic: boolean;
  is_underline: boolean;
};

/** The value of a form field is removed at this place: the page, and the position in its list of annotations, from 0. */
export type EmptiedPlace = { page: number; annotation: number };

export type StampPlan = {
  fields: readonly StampField[];
  /** These places of form fields are left empty; all others show on the page what they showed before. */
  emptied?: readonly EmptiedPlace[] | undefined;
  /** The pages that may have changed are compared with what signers saw. */
  isCompared?: boolean | undefined;
  /** Attaches the original file to the stamped one under this name, byte for byte, so that its own signatures can be checked. */
  keepOriginal?: { name: string } | undefined;
};

export type RemovedCode =
  | 'javascript'
  | 'actions'
  | 'xfa'
  | 'form_fields'
  | 'earlier_signatures'
  | 'annotations'
  | 'embedded_files_kept'
  | 'pages_redrawn';

/** So much of the original is not in the stamped document. `names` are there where it has some. */
export type Removed = { code: RemovedCode; count: number; names?: readonly string[] | undefined };

export type StampRemark = { code: 'value_small'; page: number; label: string };

/**
 * No font has the `characters`, the ink of a `picture` cannot be read, there is no such `page`, or the file is `unreadable`: it cannot be
 * written anew.
 */
export type NotSealable = {
  ok: false;
  reason: 'not_sealable';
  why: 'characters' | 'picture' | 'page' | 'unreadable';
  /** The field with this label cannot be drawn, where it is about a field. */
  label?: string | undefined;
  /** No font has these characters. */
  characters?: string | undefined;
};

/** The page may show something else than before: it has fields or notes, is a picture now, or was read in another way than PDFium does. */
export type PageToCompare = { page: number; size: Size; isRedrawn: boolean };

/** `differingPage` is the first that shows something else, outside of the values. */
export type StampResult =
  | {
      ok: true;
      pdf: Uint8Array;
      removed: Removed[];
      remarks: StampRemark[];
      pagesToCompare: PageToCompare[];
      differingPage?: number;
    }
  | NotSealable
  | TooComplex;

// Defines which texts are removed from a document, and the result.
import type { TooComplex } from '../../limits.ts';

/** `index` is the position among the texts of the page; `page` counts from 0 as well. */
export type BracedPlace = { page: number; index: number; text: string };

/**
 * Texts cannot be removed where the document is `signed`, `encrypted`, or `unreadable` (it cannot be written anew); where a page has
 * `content` that cannot be followed, or it is not known which `glyphs` show the text; where a glyph is `shared` with other text, is
 * `hidden` (not drawn, but read over a picture that shows it), or is a `clip` that shows a pattern or a picture; where a `copy` is in a
 * part of the file that cannot be changed; or where other `text` would be lost, or the `picture` of the page would differ elsewhere.
 */
export type NotRemovableReason =
  | 'signed'
  | 'encrypted'
  | 'unreadable'
  | 'content'
  | 'glyphs'
  | 'shared'
  | 'hidden'
  | 'clip'
  | 'copy'
  | 'text'
  | 'picture';

export type NotRemovable = {
  ok: false;
  reason: 'not_removable';
  why: NotRemovableReason;
  /** It counts from 0. */
  page?: number | undefined;
  text?: string | undefined;
  /** This names the part of the file that has a copy, or the text that would be lost. */
  what?: string | undefined;
};

export type TextsRemoved = { ok: true; pdf: Uint8Array } | NotRemovable | TooComplex;

export const notRemovable = (
  why: NotRemovableReason,
  details: Pick<NotRemovable, 'page' | 'text' | 'what'> = {},
): NotRemovable => ({ ok: false, reason: 'not_removable', why, ...details });

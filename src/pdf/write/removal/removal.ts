// Defines which texts are removed from a document, and the result.
import type { TooComplex } from '../../limits.ts';

/** A text in double braces: its page, which of those on the page it is, both from 0, and what it says. */
export type BracedPlace = { page: number; index: number; text: string };

/**
 * Why texts cannot be removed.
 * `signed`: the document has a signature. `encrypted`: it is encrypted. `unreadable`: it cannot be written anew.
 * `content`: a page has content that cannot be followed. `glyphs`: it is not known which glyphs show the text. `shared`: a glyph of it
 * shows other text as well. `hidden`: it is not drawn, but read over a picture that shows it. `clip`: it shows a pattern or a picture.
 * `copy`: a copy of it is in a part of the file that cannot be changed. `text`: other text would be lost. `picture`: the page would look
 * different elsewhere.
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
  /** From 0. */
  page?: number | undefined;
  text?: string | undefined;
  /** The part of the file that has a copy, or the text that would be lost. */
  what?: string | undefined;
};

export type TextsRemoved = { ok: true; pdf: Uint8Array } | NotRemovable | TooComplex;

export const notRemovable = (
  why: NotRemovableReason,
  facts: Pick<NotRemovable, 'page' | 'text' | 'what'> = {},
): NotRemovable => ({ ok: false, reason: 'not_removable', why, ...facts });

// What people should know of a file, and no signature is at fault for.
import type { DynamicContent } from '../../../pdf/verify/verify.ts';

/** `part` is a word of PDF syntax, `at` a place in bytes, `page` counts from 1. */
export type VerifyRemark =
  | { code: 'signed_part_irregular'; part: string; object?: number; at: number }
  /** Behind the last save, which a signature covers to its end: comments, or blanks. */
  | { code: 'bytes_appended'; at: number }
  /** Programs show it differently, although it is unchanged. */
  | ({ code: 'dynamic_content' } & DynamicContent)
  /** A later save changed what viewers show beside the document, and not in it. */
  | { code: 'metadata_changed'; property: 'title' | 'author'; before: string; after: string }
  /** It has no words where it lies over a scan or a drawing. */
  | { code: 'drawn_over_text'; page: number; words: string[] }
  | {
      code: 'value_shown_differently';
      page: number;
      field: string;
      value: string;
      shown: string;
      /** It shows more than text. */
      isDrawn?: boolean;
    };

// A field that a document seems to ask for, before anyone has decided to take it.
import type { FieldType } from '../../api/contract/fields.ts';
import type { Box } from '../../pdf/geometry.ts';

export type Suggestion = {
  /** What it was made of: a line to write on, a field of the form of the document, or a tag in its text. */
  from: 'line' | 'form' | 'tag';
  type: FieldType;
  /** From 0. */
  page: number;
  /** In points of the displayed page. */
  box: Box;
  properties: Record<string, unknown>;
  /** The words that it stands beside. */
  words?: { text: string; box: Box } | undefined;
};

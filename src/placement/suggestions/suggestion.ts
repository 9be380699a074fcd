// Defines a field that a document seems to ask for, before anyone has decided to take it.
import type { FieldType } from '../../api/contract/fields.ts';
import type { Box } from '../../pdf/geometry.ts';

export type Suggestion = {
  /** It was made of a line to write on, a field of the form of the document, or a tag in its text. */
  from: 'line' | 'form' | 'tag';
  type: FieldType;
  /** It counts from 0. */
  page: number;
  /** Boxes are in points of the displayed page. */
  box: Box;
  properties: Record<string, unknown>;
  words?: { text: string; box: Box } | undefined;
  /** These words may say whose it is: those beside this field alone, and those around all fields of its signature. */
  context?: { field: string[]; block: string[] } | undefined;
  role?: string | undefined;
  /** Fields of one signature have the same number; a field with no signature near has none. */
  block?: number | undefined;
  /** Its words ask for this and nothing else, and for what everybody can fill in who signs. */
  isCertain?: boolean | undefined;
  /** It is for somebody who is no party, such as a witness: words about the parties do not say whose it is. */
  isWitness?: boolean | undefined;
};

/** The limits keep a document that is made to hurt from holding up a service. */
export const SUGGESTION_LIMITS = {
  // As many as a transaction may have fields, and more than anybody looks through.
  suggestions: 1000,
  // Of a document: agreements define some fifty terms in quotation marks.
  introductions: 200,
  // Longer words or phrases are no label and no name.
  characters: 300,
} as const;

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
  /** Words that may say whose it is: those for this field alone, and those for all fields of its signature. */
  context?: { own: string[]; block: string[] } | undefined;
  /** The role that its words name, such as `tenant`. */
  role?: string | undefined;
  /** Fields of one signature have the same number. Absent where none is near. */
  block?: number | undefined;
  /** Its words ask for this and nothing else, and for what everybody can fill in who signs. */
  isCertain?: boolean | undefined;
  /** It is for somebody who is no party, such as a witness: words about the parties do not say whose it is. */
  isWitness?: boolean | undefined;
};

/** They keep a document that is made to hurt from holding up a service. */
export const SUGGESTION_LIMITS = {
  // As many as a transaction may have fields, and more than anybody looks through.
  suggestions: 1000,
  // Of a document: agreements define some fifty terms in quotation marks.
  introductions: 200,
  // Longer words or phrases are no label and no name.
  characters: 300,
} as const;

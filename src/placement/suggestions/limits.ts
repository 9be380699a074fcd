// The limits of suggestions, each with its reason. They keep a document that is made to hurt from holding up a service.

export const SUGGESTION_LIMITS = {
  // As many as a transaction may have fields, and more than anybody looks through.
  suggestions: 1000,
  // Of a document: agreements define some fifty terms in quotation marks.
  introductions: 200,
  // Longer words or phrases are no label and no name.
  characters: 300,
} as const;

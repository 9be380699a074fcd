// Suggestions for whole contracts with two to four parties, in English, German and French, laid out as public templates are: no field is
// on the line of another party unless it is said to be guessed, and nothing is required that is not certain.
import { describe, expect, test } from 'vitest';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { type SharedSuggestion, suggestFields } from '../../../src/placement/suggestions/suggest-fields.ts';
import {
  type DrawnContract,
  type ExpectedField,
  readContracts,
} from '../../support/documents/drawn-contracts.ts';
import { sampleOf } from '../../support/tier.ts';

const engine = createInProcessEngine();

async function suggestionsFor({ pdf, pages, people, title }: DrawnContract): Promise<SharedSuggestion[]> {
  const source = { sha256: title, bytes: async () => new Uint8Array(pdf) };
  return (await suggestFields(engine, source, pages, 'test', people)).suggestions;
}

/** A field may be this far from its line, in points. */
const NEAR = 12;

const isAt = ({ page, box }: SharedSuggestion, field: ExpectedField): boolean => {
  const middle = box.x + box.width / 2;
  return (
    page === field.page &&
    Math.abs(box.y + box.height - field.y) < NEAR &&
    middle > field.x &&
    middle < field.x + field.width
  );
};

const nameOf = (person: number | undefined): string =>
  person === undefined ? 'open' : `person ${person + 1}`;

/** Tells in words what is wrong with the suggestions for a contract. */
function problemsOf({ fields }: DrawnContract, suggestions: readonly SharedSuggestion[]): string[] {
  const problems: string[] = [];
  for (const field of fields) {
    const suggestion = suggestions.find((item) => isAt(item, field));
    const name = `${field.type} of ${nameOf(field.person)} at ${Math.round(field.x)}, ${Math.round(field.y)}`;
    if (!suggestion) problems.push(`missing: ${name}`);
    else if (suggestion.type !== field.type) problems.push(`${suggestion.type} instead of ${name}`);
    else if (suggestion.isGuessed ? field.person !== undefined : suggestion.person !== field.person)
      problems.push(`${suggestion.isGuessed ? 'guessed' : nameOf(suggestion.person)}: ${name}`);
  }
  for (const suggestion of suggestions) {
    const { type, words, person, isGuessed, properties } = suggestion;
    if (person !== undefined && !fields.some((field) => isAt(suggestion, field)))
      problems.push(`too much: ${type} "${words?.text}"`);
    if (isGuessed && type !== 'signature' && properties.is_required !== false)
      problems.push(`required: ${type} "${words?.text}"`);
  }
  return problems;
}

describe.each(['practised', 'held-back'] as const)('in contracts that are %s', (set) => {
  test.each(sampleOf(readContracts(set), 10))(
    'fields are for those whose lines they are: $title',
    async (contract) => {
      expect(problemsOf(contract, await suggestionsFor(contract))).toEqual([]);
    },
  );
});

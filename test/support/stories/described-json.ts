// What a command of a story prints with `--json` is what its schema says.
import { differencesFrom, either, type JsonSchema } from '../../../src/cli/command/json-output.ts';
import { nodeAt } from '../../../src/cli/command/tree.ts';
import { jsonSchemaOf } from '../../../src/cli/describe/describe.ts';
import { TREE } from '../../../src/cli/tree.ts';

/** Lists the differences of the output from the schema of its command; nothing for a command without `--json`, or in a pipeline. */
export async function undescribedJson(line: string, out: string): Promise<string[]> {
  // What stands in quotes is a value, and not an option.
  const [, typed] =
    /^(?:\w+=\S+ )*esign ([^|;&<>]+)$/.exec(line.replace(/'[^']*'|"(?:\\.|[^"\\])*"/g, 'VALUE')) ?? [];
  if (typed === undefined || !/\s--json\b/.test(typed) || /\s--(select|jq)\b/.test(typed)) return [];
  const words = typed.split(/\s+/);
  const depth = nodeAt(words, TREE)?.depth ?? 0;
  const schema = await jsonSchemaOf(words.slice(0, depth), TREE);
  if (!schema || out.trim() === '') return [];
  const values = valuesIn(out);
  const entries = values.length === 1 ? schema : either(schema, ...entriesOf(schema));
  return values.flatMap((value) => differencesFrom(entries, value));
}

/** One value, or one on each line. */
function valuesIn(out: string): unknown[] {
  try {
    return [JSON.parse(out)];
  } catch {
    return out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
}

/** With `--all`, a list prints its entries one by one. */
const entriesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  (schema.anyOf ?? [schema]).flatMap(({ properties }) => properties?.items?.items ?? []);

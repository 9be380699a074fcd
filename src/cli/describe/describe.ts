// Turns the tree of commands into pure data for documents, completion and `esign commands --json`.
import type { Command } from '../command/command.ts';
import {
  argumentUsage,
  type CommandDescription,
  type OptionDescription,
  type OptionSpec,
} from '../command/description.ts';
import { type JsonSchema, jsonLine, schemaOf } from '../command/json-output.ts';
import { isBranch, nodeAt, type Tree } from '../command/tree.ts';

export async function describeTree(tree: Tree, path: readonly string[] = []): Promise<CommandDescription[]> {
  const described: CommandDescription[] = [];
  for (const [name, node] of Object.entries(tree)) {
    const here = [...path, name];
    if (isBranch(node)) {
      if (node.load) described.push(descriptionOf(here, await node.load()));
      described.push(...(await describeTree(node.children, here)));
    } else described.push(descriptionOf(here, await node.load()));
  }
  return described;
}

const descriptionOf = (path: string[], command: Command): CommandDescription => ({
  path,
  usage: ['esign', ...path, ...command.arguments.map(argumentUsage)].join(' '),
  summary: command.summary,
  details: command.details,
  manual: command.manual,
  arguments: command.arguments,
  options: describeOptions(command.options),
  json: jsonLine(command.json),
  examples: command.examples,
});

export const describeOptions = (options: Readonly<Record<string, OptionSpec>>): OptionDescription[] =>
  Object.entries(options).map(([name, spec]) => ({ name, ...spec }));

/** Finds the JSON Schema of what the command that the words name prints; undefined where they name none, or it prints nothing of its own. */
export async function jsonSchemaOf(words: readonly string[], tree: Tree): Promise<JsonSchema | undefined> {
  const { node, depth } = nodeAt(words, tree) ?? {};
  if (!node?.load || depth !== words.length) return undefined;
  const schema = schemaOf((await node.load()).json);
  return (
    schema && {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: `esign ${words.join(' ')}`,
      ...schema,
    }
  );
}

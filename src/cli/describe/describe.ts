// The tree of commands as pure data: what documents, completion and `esign commands --json` are made from.
import type { ArgumentSpec, Command, Example, OptionSpec } from '../command.ts';
import { isBranch, TREE, type Tree } from '../tree.ts';

export type OptionDescription = OptionSpec & { name: string };

export type CommandDescription = {
  path: string[];
  /** `esign tx show <ID>`, without options. */
  usage: string;
  summary: string;
  details: string | undefined;
  arguments: readonly ArgumentSpec[];
  options: OptionDescription[];
  json: string;
  examples: readonly Example[];
};

export async function describeTree(
  tree: Tree = TREE,
  path: readonly string[] = [],
): Promise<CommandDescription[]> {
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
  arguments: command.arguments,
  options: describeOptions(command.options),
  json: command.json,
  examples: command.examples,
});

export const describeOptions = (options: Readonly<Record<string, OptionSpec>>): OptionDescription[] =>
  Object.entries(options).map(([name, spec]) => ({ name, ...spec }));

/** As the help of a command writes it: `<ID>`, `[FILE...]`. */
export function argumentUsage({ name, optional, repeat }: ArgumentSpec): string {
  const inner = `${name.toUpperCase()}${repeat ? '...' : ''}`;
  return optional ? `[${inner}]` : `<${inner}>`;
}

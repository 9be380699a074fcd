// The types of the tree of commands. The tree itself is data (../tree.ts) and is passed as an argument, so that
// nothing below it depends on every command.
import type { Command } from './command.ts';

/** Where help lists a command: the heading, and the description of the line that it shares with others of its `row`. */
export type Listing = { group?: string; row?: string };

export type Leaf = Listing & { summary: string; load: () => Promise<Command> };
/** A group of commands that can `load` is a command as well: `esign api` beside `esign api routes`. */
export type Branch = Listing & {
  summary: string;
  /** Paragraphs below the summary in help, where the group is no command itself. */
  details?: string;
  children: Tree;
  load?: Leaf['load'];
};
export type Tree = Readonly<Record<string, Leaf | Branch>>;

export const isBranch = (node: Leaf | Branch): node is Branch => 'children' in node;

/** Finds the node that words begin with, and how many words name it: `sandbox users add` in `['sandbox', 'users', 'add', 'Ada']`. */
export function nodeAt(
  words: readonly string[],
  tree: Tree,
): { node: Leaf | Branch; depth: number } | undefined {
  const [first, ...rest] = words;
  const node = first !== undefined && Object.hasOwn(tree, first) ? tree[first] : undefined;
  if (!node) return undefined;
  const deeper = isBranch(node) ? nodeAt(rest, node.children) : undefined;
  return deeper ? { node: deeper.node, depth: deeper.depth + 1 } : { node, depth: 1 };
}

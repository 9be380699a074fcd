// Every place of the command tree where TAB has something to say, and what it must be.

import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../../src/cli/command/global-options.ts';
import { isBranch, type Tree } from '../../src/cli/command/tree.ts';
import { describeOptions } from '../../src/cli/describe/describe.ts';
import { TREE } from '../../src/cli/tree.ts';

import { sampleOf } from '../support/tier.ts';

export type Place = { words: string[]; offers: string[] };

const GLOBAL = describeOptions({ ...GLOBAL_OPTIONS, ...HELP_OPTION, ...VERSION_OPTION }).map(flag);

export async function everyPlace(tree: Tree = TREE, path: readonly string[] = []): Promise<Place[]> {
  const places: Place[] = [];
  if (path.length === 0)
    places.push({ words: [''], offers: Object.keys(tree) }, { words: ['--'], offers: GLOBAL });
  for (const [name, node] of Object.entries(tree)) {
    const here = [...path, name];
    const command = await node.load?.();
    const own = describeOptions(command?.options ?? {}).map(flag);
    places.push({ words: [...here, '--'], offers: [...own, ...GLOBAL] });
    if (!isBranch(node)) continue;
    // Of a group that is a command as well, its arguments stand there too.
    if (!command) places.push({ words: [...here, ''], offers: Object.keys(node.children) });
    places.push(...(await everyPlace(node.children, here)));
  }
  return places;
}

function flag({ name }: { name: string }): string {
  return `--${name}`;
}

/** A dozen of them, from everywhere in the tree, and a quarter at a landing. */
export const someOf = (places: readonly Place[]): Place[] => [
  ...places.slice(0, 4),
  ...sampleOf(places.slice(4), 8),
];

/** The path of every command and group, the root first. */
export const everyPath = (tree: Tree = TREE, path: readonly string[] = []): string[][] => [
  [...path],
  ...Object.entries(tree).flatMap(([name, node]) =>
    isBranch(node) ? everyPath(node.children, [...path, name]) : [[...path, name]],
  ),
];

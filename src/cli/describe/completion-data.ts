// Makes the data for TAB from the command tree. The build writes it into dist/.
import { EVENT_TYPES } from '../../api/contract/events.ts';
import { SCOPES } from '../../api/contract/operation.ts';
import { API_OPERATIONS } from '../../api/contract/operations.ts';
import { GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from '../command/global-options.ts';
import { isBranch, type Tree } from '../command/tree.ts';
import { SETTING_KEYS } from '../input/settings.ts';
import type { CompletionData, CompletionNode, CompletionTree, Offer } from '../shell-completion/words.ts';
import { TOPIC_LIST, TOPICS } from './topics.ts';

export async function completionData(tree: Tree): Promise<CompletionData> {
  return {
    tree: await treeOf(tree),
    options: { ...GLOBAL_OPTIONS, ...HELP_OPTION, ...VERSION_OPTION },
    operation: Object.entries(API_OPERATIONS).map(([value, { method, path }]) => ({
      value,
      about: `${method} ${path}`,
    })),
    setting: plain(SETTING_KEYS),
    event_type: plain(EVENT_TYPES),
    scope: Object.entries(SCOPES).map(([value, about]) => ({ value, about })),
    // A topic may share its name with a group, which is offered anyway.
    topic: [
      ...TOPICS.filter(({ name }) => !Object.hasOwn(tree, name)).map(({ name, summary }) => ({
        value: name,
        about: summary,
      })),
      { value: TOPIC_LIST, about: 'List of all topics' },
    ],
  };
}

const plain = (names: readonly string[]): Offer[] => names.map((value) => ({ value, about: '' }));

async function treeOf(tree: Tree): Promise<CompletionTree> {
  const entries = Object.entries(tree).map(async ([name, node]) => {
    const command = await node.load?.();
    const completed: CompletionNode = {
      summary: command?.summary ?? node.summary,
      ...(command && { arguments: command.arguments, options: command.options }),
      ...(isBranch(node) && { children: await treeOf(node.children) }),
    };
    return [name, completed];
  });
  return Object.fromEntries(await Promise.all(entries));
}

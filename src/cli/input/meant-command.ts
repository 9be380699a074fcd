// Suggests the command that a user may have meant, by a misspelt word, or by the word that another program has for it.

import { nearest } from '../../common/nearest.ts';
import { type CliError, cliError } from '../command/errors.ts';
import { isBranch, nodeAt, type Tree } from '../command/tree.ts';

/** What people type who come from other programs → the command here. */
export const OTHER_WORDS: Readonly<Record<string, string>> = {
  version: '--version',
  man: 'help',
  send: 'tx send',
  list: 'tx list',
  show: 'tx show',
  status: 'tx show',
  cancel: 'tx cancel',
  download: 'tx download',
  remind: 'tx remind',
  preview: 'tx preview',
  upload: 'tx upload',
  wait: 'tx wait',
  start: 'tx start',
  open: 'tx open',
  sign: 'sandbox sign',
  reject: 'sandbox reject',
  mailbox: 'sandbox mailbox',
  listen: 'events listen',
  trigger: 'events trigger',
  replay: 'events replay',
  'auth login': 'login',
  'auth logout': 'logout',
  'auth status': 'whoami',
  'auth token': 'token',
  auth: 'login',
  signin: 'login',
  signout: 'logout',
  'tx sign': 'sandbox sign',
  'tx reject': 'sandbox reject',
  'tx delete': 'tx cancel',
  'tx remove': 'tx cancel',
  'tx rm': 'tx cancel',
  'tx void': 'tx cancel',
  'tx resend': 'tx remind',
  'tx verify': 'verify',
  check: 'doctor',
  validate: 'verify',
  settings: 'config',
  init: 'login',
};

/** Other words for a group, which more words may follow. */
const GROUPS: Readonly<Record<string, string>> = {
  transaction: 'tx',
  transactions: 'tx',
  envelope: 'tx',
  envelopes: 'tx',
  template: 'templates',
  webhook: 'webhooks',
  event: 'events',
  profiles: 'profile',
  settings: 'config',
};

/** Other words for what is done, in any group that has the command. */
const VERBS: Readonly<Record<string, string>> = {
  ls: 'list',
  get: 'show',
  view: 'show',
  info: 'show',
  status: 'show',
  rm: 'delete',
  remove: 'delete',
  new: 'create',
  add: 'create',
  edit: 'update',
};

/** What people call an option who come from other programs → the options here, of which a command has at most one. */
const OTHER_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  '--recipient': ['--to'],
  '--recipients': ['--to'],
  '--signer': ['--to'],
  '--signers': ['--to'],
  '--email': ['--to', '--as'],
  '--from': ['--sender'],
  '--subject': ['--name'],
  '--title': ['--name'],
  '--body': ['--message'],
  '--text': ['--message'],
  '--expiration': ['--expires'],
  '--expiry': ['--expires'],
  '--deadline': ['--expires'],
  '--out': ['--output', '--download'],
  '--output': ['--download'],
  '--url': ['--endpoint', '--base-url', '--callback-url'],
  '--events': ['--event'],
  '--type': ['--event'],
  '--force': ['--yes'],
  '--quiet-mode': ['--quiet'],
  '--silent': ['--quiet'],
  '--format': ['--json'],
  '--filter': ['--jq'],
  '--query': ['--jq'],
  '--template-id': ['--template'],
  '--dryrun': ['--dry-run'],
};

/** @param options those that the command has: `--to` */
export const meantOption = (word: string, options: readonly string[]): string | undefined =>
  nearest(word, options) ?? OTHER_OPTIONS[word]?.find((option) => options.includes(option));

/**
 * Suggests a command.
 * @param words what was typed up to the unknown word: `['tx', 'sned']`
 * @returns what to type after `esign`, or undefined when nothing is near
 */
export function meantCommand(words: readonly string[], tree: Tree): string | undefined {
  const typed = words.map((word) => word.toLowerCase());
  // The words after it are arguments: `tx delete ID`.
  const pair = typed.slice(0, 2).join(' ');
  if (Object.hasOwn(OTHER_WORDS, pair)) return OTHER_WORDS[pair];
  const [group = '', ...rest] = typed;
  if (Object.hasOwn(GROUPS, group))
    return [GROUPS[group], ...correctedBelow(GROUPS[group] ?? '', rest, tree)].join(' ');
  if (Object.hasOwn(OTHER_WORDS, group)) return OTHER_WORDS[group];
  const known = nodeAt(typed, tree)?.depth ?? 0;
  const path = typed.slice(0, known);
  const meant = childMeant(typed[known] ?? '', childrenAt(path, tree));
  return meant === undefined ? undefined : [...path, meant].join(' ');
}

/** Corrects the words after a group, as far as they name a command there. */
function correctedBelow(group: string, rest: readonly string[], tree: Tree): string[] {
  const [word] = rest;
  if (word === undefined) return [];
  const children = childrenAt([group], tree);
  const line = `${group} ${word}`;
  if (Object.hasOwn(children, word)) return [word];
  if (OTHER_WORDS[line]?.startsWith(`${group} `)) return [OTHER_WORDS[line].slice(group.length + 1)];
  const meant = childMeant(word, children);
  return meant === undefined ? [] : [meant];
}

function childMeant(word: string, children: Tree): string | undefined {
  const other = Object.hasOwn(VERBS, word) ? VERBS[word] : undefined;
  if (other !== undefined && Object.hasOwn(children, other)) return other;
  return nearest(word, Object.keys(children));
}

function childrenAt(path: readonly string[], tree: Tree): Tree {
  if (path.length === 0) return tree;
  const found = nodeAt(path, tree);
  return found && found.depth === path.length && isBranch(found.node) ? found.node.children : {};
}

/**
 * Makes the error for an unknown command.
 * @param words the path of a command, with an unknown word in it
 * @param topics of help, where one of them would have done as well
 */
export function unknownCommand(words: readonly string[], tree: Tree, topics?: readonly string[]): CliError {
  const known = nodeAt(words, tree)?.depth ?? 0;
  const topic = topics && words.length === 1 ? nearest(words[0] ?? '', topics) : undefined;
  return cliError('command_unknown', {
    command: words.slice(0, known + 1).join(' '),
    meant: meantCommand(words, tree) ?? (topic === undefined ? undefined : `help ${topic}`),
    within: words.slice(0, known).join(' '),
    mayBeTopic: topics !== undefined,
  });
}

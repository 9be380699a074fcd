// The tree of commands. The path of a file below commands/ is that of its command, and command-list.ts, which `npm run generate`
// writes, lists them; a command is loaded when it is typed. Here stand the groups, and the order and the headings of help.

import type { Branch, Leaf, Listing, Tree } from './command/tree.ts';
import { COMMANDS } from './command-list.ts';

/** Headings of the main help. The help fits on 24 lines, so commands that are not core share lines. */
const CORE = { group: 'CORE COMMANDS' };
const OTHER = 'OTHER COMMANDS';
const SERVICE = { ...CORE, row: 'Run the service: offline, for a team, for agents' };
const ACCOUNT = { group: OTHER, row: 'Log in to a service, and print credentials' };
const SETUP = { group: OTHER, row: 'Manage settings, and set up completion' };
const TOOLS = { group: OTHER, row: 'Find problems, send API requests, and get help' };

/** Headings of `esign tx --help`. */
const SENDING = { group: 'SEND AND TRACK' };
const DRAFTS = { group: 'WORK WITH DRAFTS' };

/** Where help lists what stands directly below a group, in its order. What is not listed follows in the order of the alphabet. */
const LISTED: Readonly<Record<string, Readonly<Record<string, Listing>>>> = {
  '': {
    ...{ tx: CORE, templates: CORE, webhooks: CORE, events: CORE, verify: CORE },
    ...{ login: ACCOUNT, logout: ACCOUNT, whoami: ACCOUNT, token: ACCOUNT },
    ...{ profile: SETUP, config: SETUP, doctor: TOOLS },
    ...{ sandbox: SERVICE, serve: SERVICE, store: SERVICE, mcp: SERVICE },
    ...{ api: TOOLS, completion: SETUP, commands: TOOLS, help: TOOLS },
  },
  tx: {
    ...{ send: SENDING, list: SENDING, show: SENDING, wait: SENDING },
    ...{ open: SENDING, remind: SENDING, cancel: SENDING, download: SENDING },
    ...{ create: DRAFTS, update: DRAFTS, upload: DRAFTS, 'use-template': DRAFTS },
    ...{ fields: DRAFTS, preview: DRAFTS, text: DRAFTS, start: DRAFTS },
  },
  templates: inOrder('list', 'show'),
  webhooks: inOrder('create', 'list', 'show', 'enable', 'disable', 'rotate', 'ping', 'delete'),
  events: inOrder('listen', 'trigger', 'list', 'show', 'replay'),
  profile: inOrder('list', 'create', 'use', 'delete'),
  config: inOrder('get', 'set', 'unset', 'list', 'path'),
  sandbox: {
    ...inOrder('serve', 'exec', 'open', 'status', 'seed', 'reset', 'export', 'import'),
    ...inOrder('sign', 'reject', 'expire', 'clock', 'faults', 'snapshot'),
    ...inOrder('token', 'users', 'apps', 'mailbox', 'ca', 'template'),
  },
  'sandbox clock': inOrder('show', 'set', 'advance', 'pause', 'resume', 'reset'),
  'sandbox faults': inOrder('add', 'list', 'clear'),
  'sandbox snapshot': inOrder('save', 'restore', 'list', 'delete'),
  'sandbox users': inOrder('add', 'list', 'verify', 'password'),
  'sandbox apps': inOrder('create', 'list', 'rotate', 'delete'),
  'sandbox mailbox': inOrder('list', 'show', 'open'),
  'sandbox ca': inOrder('issue', 'export'),
  serve: inOrder('migrate', 'ca', 'user'),
  'serve user': inOrder('add', 'list', 'password', 'disable'),
  store: inOrder('copy', 'backup', 'restore'),
};

function inOrder(...names: readonly string[]): Record<string, Listing> {
  return Object.fromEntries(names.map((name) => [name, {}]));
}

/** The groups that are no command themselves. */
const GROUPS: Readonly<Record<string, { summary: string; details?: string }>> = {
  tx: {
    summary: 'Send documents for signature and track them',
    details:
      'A transaction is one or more documents sent to one or more recipients for signature. Recipients sign ' +
      'one after another; the current recipient is the one who is asked to sign now. A draft is a ' +
      'transaction that has not been started yet.',
  },
  templates: {
    summary: 'List and view templates',
    details:
      'A template is the documents, recipients and fields of a transaction, to be sent again with `esign tx send --template`. A transaction is ' +
      'saved as a template on its page in the dashboard, or in the sandbox with `esign sandbox template save`.',
  },
  webhooks: { summary: 'Manage webhooks' },
  events: { summary: 'View, forward and replay events' },
  profile: { summary: 'Manage connection profiles' },
  config: { summary: 'Manage settings and aliases' },
  sandbox: { summary: 'Run and control the offline sandbox' },
  'sandbox clock': { summary: 'Show and control the clock of the sandbox' },
  'sandbox faults': { summary: 'Make requests and deliveries of the sandbox fail' },
  'sandbox snapshot': { summary: 'Save and restore states of the sandbox' },
  'sandbox users': { summary: 'Manage users of the sandbox' },
  'sandbox apps': { summary: 'Manage OAuth applications of the sandbox' },
  'sandbox mailbox': { summary: 'Read the emails of the sandbox' },
  'sandbox ca': { summary: 'Issue and export certificates' },
  'sandbox template': { summary: 'Save templates in the sandbox' },
  'serve user': { summary: 'Manage the users of a team server' },
  store: { summary: 'Copy, back up and restore everything that is stored' },
};

/** The names that stand directly below each path, in the order of the alphabet. Every start of a command makes it, so it is one pass. */
function namesByPath(): ReadonlyMap<string, ReadonlySet<string>> {
  const byPath = new Map<string, Set<string>>();
  for (const command of Object.keys(COMMANDS)) {
    let path = '';
    for (const name of command.split(' ')) {
      const names = byPath.get(path) ?? new Set();
      byPath.set(path, names.add(name));
      path = path === '' ? name : `${path} ${name}`;
    }
  }
  return byPath;
}

function treeBelow(path: string, byPath: ReadonlyMap<string, ReadonlySet<string>>): Tree {
  const listed = LISTED[path] ?? {};
  const tree: Record<string, Leaf | Branch> = {};
  for (const name of [...Object.keys(listed), ...(byPath.get(path) ?? [])]) {
    if (tree[name]) continue;
    const here = path === '' ? name : `${path} ${name}`;
    tree[name] = { ...(listed[name] ?? lastOf(listed)), ...nodeOf(here, byPath) };
  }
  return tree;
}

/** A command that is not listed stands below the last heading. */
function lastOf(listed: Readonly<Record<string, Listing>>): Listing {
  return Object.values(listed).at(-1) ?? {};
}

function nodeOf(path: string, byPath: ReadonlyMap<string, ReadonlySet<string>>): Leaf | Branch {
  const described = COMMANDS[path] ?? GROUPS[path];
  if (!described) throw new Error(`src/cli/tree.ts lists "${path}", which no file of src/cli/commands is.`);
  return byPath.has(path) ? { ...described, children: treeBelow(path, byPath) } : (described as Leaf);
}

export const TREE: Tree = treeBelow('', namesByPath());

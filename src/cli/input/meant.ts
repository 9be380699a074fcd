// Suggests what a person may have meant: the command or option for a misspelt word or for the word of another program, and the thing for a
// name that the service does not have, such as the name of a template instead of its ID. The latter runs after the service has refused
// the name, reads what this machine has seen or makes one request, and never fails.
import type { ProblemCode } from '../../api/contract/problems.ts';
import { didYouMean, nearest } from '../../common/nearest.ts';
import type { RawInput } from '../command/command.ts';
import type { Uses } from '../command/context.ts';
import type { ArgumentSpec, Completes, OptionSpec } from '../command/description.ts';
import { reportOf } from '../command/error-report.ts';
import { type CliError, cliError, type MeantName, UnknownName } from '../command/errors.ts';
import { isBranch, nodeAt, type Tree } from '../command/tree.ts';
import type { SeenKind } from '../recent/store.ts';

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
  '--env-file': ['--env-path'],
};

/** The dashes that all options share are no letters, or each short one would be near to every other. */
function nearestOption(word: string, options: readonly string[]): string | undefined {
  if (!word.startsWith('--')) return nearest(word, options);
  const name = nearest(
    word.slice(2),
    options.flatMap((option) => (option.startsWith('--') ? [option.slice(2)] : [])),
  );
  return name === undefined ? undefined : `--${name}`;
}

/** @param options those that the command has: `--to` */
export const meantOption = (word: string, options: readonly string[]): string | undefined =>
  nearestOption(word, options) ?? OTHER_OPTIONS[word]?.find((option) => options.includes(option));

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
  const depth = nodeAt(typed, tree)?.depth ?? 0;
  const path = typed.slice(0, depth);
  const meant = childMeant(typed[depth] ?? '', childrenAt(path, tree));
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
  const match = nodeAt(path, tree);
  return match && match.depth === path.length && isBranch(match.node) ? match.node.children : {};
}

/** What is reached in another way. A user who wants to delete a transaction must not be led to cancel one that is being signed. */
const NOT_OFFERED: readonly (readonly [typed: RegExp, instead: string])[] = [
  [
    /^(tx|transactions?|envelopes?) (delete|remove|rm)$/,
    'A transaction cannot be deleted. `esign tx cancel` ends one that was started.',
  ],
  [
    /^templates? (create|new|add|save|make)$/,
    'A transaction is saved as a template on its page in the dashboard, or in the sandbox with `esign sandbox template save`.',
  ],
];

/**
 * Makes the error for an unknown command.
 * @param words the path of a command, with an unknown word in it
 * @param topics of help, where one of them would have done as well
 */
export function unknownCommand(words: readonly string[], tree: Tree, topics?: readonly string[]): CliError {
  const depth = nodeAt(words, tree)?.depth ?? 0;
  const command = words.slice(0, depth + 1).join(' ');
  const topic = topics && words.length === 1 ? nearest(words[0] ?? '', topics) : undefined;
  const meant = meantCommand(words, tree) ?? (topic === undefined ? undefined : `help ${topic}`);
  const instead = NOT_OFFERED.find(([pattern]) => pattern.test(command))?.[1];
  const list = `List the commands with \`${['esign', ...words.slice(0, depth), '--help'].join(' ')}\`.`;
  return cliError('command_unknown', {
    sentence:
      topics === undefined
        ? `Unknown command "esign ${command}".`
        : `Unknown command or help topic "${command}".`,
    hint: instead === undefined ? didYouMean(meant && `esign ${meant}`, list, '`') : `${instead} ${list}`,
  });
}

/** What a command takes: its ID, or a name that is its ID, as of a snapshot. */
type Named = { id: string; name?: string | null | undefined };

type Asking = { context: Uses<'connections' | 'history'>; isOfSandbox: boolean };

type Lookup = (asking: Asking) => Promise<readonly Named[]>;

/** Services list at most this many at once. */
const LISTED = { limit: '100', page: '1' };

const recentlySeen =
  (kind: SeenKind): Lookup =>
  async ({ context, isOfSandbox }) =>
    (await context.history.recentItems({ isOfSandbox })).things.filter((item) => item.kind === kind);

const sandboxClient = async ({ context }: Asking) => (await context.connections.sandbox()).client;

const LOOKUPS = {
  transaction: recentlySeen('transaction'),
  event: recentlySeen('event'),
  async template({ context }) {
    const { client } = await context.connections.connect();
    return (await client['template.list']({ query: LISTED })).items;
  },
  async webhook({ context }) {
    const { client } = await context.connections.connect();
    return (await client['webhook.list']({ query: LISTED })).items;
  },
  async user(asking) {
    const { items } = await (await sandboxClient(asking))['sandbox.list_users']();
    return items.map(({ email }) => ({ id: email }));
  },
  async application(asking) {
    return (await (await sandboxClient(asking))['sandbox.list_clients']()).items;
  },
  async mail(asking) {
    const { items } = await (await sandboxClient(asking))['sandbox.mail']({ query: { limit: LISTED.limit } });
    return items.map(({ id, subject }) => ({ id, name: subject }));
  },
  async snapshot(asking) {
    const { items } = await (await sandboxClient(asking))['sandbox.list_snapshots']();
    return items.map(({ name }) => ({ id: name }));
  },
} satisfies Partial<Record<Completes, Lookup>>;

type NamedKind = keyof typeof LOOKUPS;

export const NAMED_KINDS = Object.keys(LOOKUPS) as NamedKind[];

/** Codes that say which kind of name is not known. */
const KIND_OF_CODE: Readonly<Record<string, NamedKind>> = {
  transaction_not_found: 'transaction',
  event_not_found: 'event',
  template_not_found: 'template',
  webhook_not_found: 'webhook',
  user_not_found: 'user',
  client_not_found: 'application',
  mail_not_found: 'mail',
  snapshot_not_found: 'snapshot',
} satisfies Partial<Record<ProblemCode, NamedKind>>;

/** Codes of other refusals: of services that have codes of their own, of parts of IDs, and of names where an ID is needed. */
const ALL_KINDS: ReadonlySet<string> = new Set([
  'http_404',
  'id_unknown',
  'malformed_path',
  'validation_failed',
]);

/** Whether a text can be an ID, so that a service that refuses the request may have another reason. */
const ID = /^[\w.:@+-]{1,128}$/;

type Described = {
  arguments: readonly ArgumentSpec[];
  options: Readonly<Record<string, OptionSpec>>;
};

/** @returns the error with what was meant, or the same error */
export async function withNearNames(
  error: unknown,
  described: Described,
  input: RawInput,
  asking: Asking,
): Promise<unknown> {
  const { code } = reportOf(error);
  const kind = Object.hasOwn(KIND_OF_CODE, code) ? KIND_OF_CODE[code] : undefined;
  if (kind === undefined && !ALL_KINDS.has(code)) return error;
  for (const typed of namesIn(described, input)) {
    if (kind !== undefined ? typed.kind !== kind : code === 'validation_failed' && ID.test(typed.text))
      continue;
    const items = await LOOKUPS[typed.kind](asking).catch((): readonly Named[] => []);
    // What a failed command has read is not what was touched last.
    asking.context.history.keepOrder(items.map(({ id }) => id));
    const meant = meantBy(typed.text, items);
    if (meant) return new UnknownName(error, { ...meant, typed: typed.text, kind: typed.kind });
  }
  return error;
}

function* namesIn(
  { arguments: args, options }: Described,
  input: RawInput,
): Generator<{ kind: NamedKind; text: string }> {
  const values = [
    ...args.map(({ name, completes }) => [completes, input.args[name]] as const),
    ...Object.entries(options).map(([name, { completes }]) => [completes, input.options[name]] as const),
  ];
  for (const [completes, value] of values)
    if (completes !== undefined && completes in LOOKUPS)
      for (const text of [value].flat())
        if (typeof text === 'string' && !text.startsWith('@')) yield { kind: completes as NamedKind, text };
}

const MOST_IDS = 3;

/** An item whose ID is none is left out: the hint says to use the ID, and the service chooses what stands there. */
export function meantBy(text: string, items: readonly Named[]): MeantName | undefined {
  const usable = items.filter(({ id }) => ID.test(id));
  // The same ID was refused for another reason.
  if (usable.some(({ id }) => id === text)) return undefined;
  const name = nearest(
    text,
    usable.flatMap((item) => item.name || []),
  );
  if (name !== undefined) {
    const ids = usable.filter((item) => item.name === name).map(({ id }) => id);
    return { name, ids: ids.slice(0, MOST_IDS) };
  }
  const id = nearest(
    text,
    usable.map((item) => item.id),
  );
  return id === undefined ? undefined : { name: undefined, ids: [id] };
}

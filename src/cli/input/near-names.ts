// Finds what a person may have meant by a name that the service does not have, such as the name of a template instead of its ID, or an ID with
// a wrong letter. It runs after the service has refused the name, reads what this machine has seen or makes one request, and never fails.
import type { ProblemCode } from '../../api/contract/problems.ts';
import { nearest } from '../../common/nearest.ts';
import type { RawInput } from '../command/command.ts';
import type { Uses } from '../command/context.ts';
import type { ArgumentSpec, Completes, OptionSpec } from '../command/description.ts';
import { reportOf } from '../command/error-report.ts';
import { type MeantName, UnknownName } from '../command/errors.ts';
import type { SeenKind } from '../recent/store.ts';

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

export type NamedKind = keyof typeof LOOKUPS;

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
    if (meant) return new UnknownName(error, meant);
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

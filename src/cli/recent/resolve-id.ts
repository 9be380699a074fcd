// Resolves the id of a command: a whole id is used unchanged; a part of one, `@` and `@2` stand for one that this machine has
// seen of the same service. It makes no request. It must never choose between two ids, because the command may cancel one.
import type { Uses } from '../command/context.ts';
import type { ArgumentSpec, Completes, OptionSpec } from '../command/description.ts';
import { type CliError, cliError } from '../command/errors.ts';
import { invalidValue } from '../command/wrong-input.ts';
import type { SeenItem, SeenKind } from './store.ts';

type Parts = Uses<'history' | 'terminal'>;

/** The kinds of ids that can be abbreviated; other completions are not ids. */
const KINDS: Partial<Record<Completes, SeenKind>> = {
  transaction: 'transaction',
  template: 'template',
  webhook: 'webhook',
  event: 'event',
};

const WHOLE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PART = /^[0-9a-f-]{1,35}$/i;
const PLACE = /^@([1-9]\d{0,5})?$/;

const SHORTEST_PART = 4;
const MOST_CANDIDATES = 20;

/** Whether a text may be an abbreviation of an id. */
const isShort = (text: string): boolean => text.startsWith('@') || PART.test(text);

type Spec = Pick<ArgumentSpec | OptionSpec, 'completes'>;

/**
 * Replaces abbreviated ids in the input of a command, wherever its description says that it takes an id.
 * @param isOfSandbox the command is about the sandbox, whatever the profile
 */
export async function expandIdPrefixes<
  I extends { args: Record<string, unknown>; options: Record<string, unknown> },
>(
  context: Parts,
  described: { arguments: readonly ArgumentSpec[]; options: Readonly<Record<string, OptionSpec>> },
  input: I,
  isOfSandbox: boolean,
): Promise<I> {
  const expandValues = async (
    values: Record<string, unknown>,
    specs: readonly (readonly [string, Spec])[],
  ) => {
    const expanded = { ...values };
    for (const [name, { completes }] of specs) {
      const kind = completes && KINDS[completes];
      if (kind)
        expanded[name] = await expandValue(expanded[name], (text) =>
          resolveId(context, kind, text, { isOfSandbox }),
        );
    }
    return expanded;
  };
  return {
    ...input,
    args: await expandValues(
      input.args,
      described.arguments.map((argument) => [argument.name, argument] as const),
    ),
    options: await expandValues(input.options, Object.entries(described.options)),
  };
}

async function expandValue(value: unknown, find: (text: string) => Promise<string>): Promise<unknown> {
  if (typeof value === 'string') return find(value);
  if (!Array.isArray(value)) return value;
  const expanded: unknown[] = [];
  for (const item of value) expanded.push(typeof item === 'string' ? await find(item) : item);
  return expanded;
}

/** Resolves one id. @throws CliError when a part fits several (exit 2) or none (exit 5) */
export async function resolveId(
  context: Parts,
  kind: SeenKind,
  text: string,
  { isOfSandbox = false } = {},
): Promise<string> {
  if (!isShort(text)) return text;
  const { things } = await context.history.recentItems({ isOfSandbox });
  const match = findSeen(
    things.filter((item) => item.kind === kind),
    kind,
    text,
  );
  if (!match) return text;
  // So that `@2` names the same one the next time.
  if (text.startsWith('@')) context.history.keepOrder([match.id]);
  context.terminal.progress.note(`${text} is ${described(match)}`);
  return match.id;
}

/** Finds what the text stands for. Undefined where it may be a whole id: of a service whose ids are not known yet, or have another form. */
function findSeen(things: readonly SeenItem[], kind: SeenKind, text: string): SeenItem | undefined {
  if (text.startsWith('@')) {
    const place = PLACE.exec(text);
    if (!place)
      throw invalidValue({
        name: kind.toUpperCase(),
        value: text,
        use: `@ for the last ${kind} seen on this machine, @2 for the one before it`,
      });
    const item = things[Number(place[1] ?? 1) - 1];
    if (!item) throw unseen(kind, text, things.length);
    return item;
  }
  const part = text.toLowerCase();
  const fitting = things.filter(({ id }) => {
    const whole = id.toLowerCase();
    return WHOLE.test(whole) && (whole.startsWith(part) || whole.endsWith(part));
  });
  const [match, another] = part.length < SHORTEST_PART ? [] : fitting;
  if (!match && (things.length === 0 || things.some(({ id }) => !WHOLE.test(id)))) return undefined;
  if (!match) throw noneFits(kind, text);
  if (another) throw severalFit(kind, text, fitting);
  return match;
}

const described = ({ kind, id, name }: SeenItem): string => `${kind} ${id}${name ? `, "${name}"` : ''}`;

const unseen = (kind: SeenKind, text: string, seen: number): CliError =>
  cliError('id_unknown', {
    sentence:
      seen === 0
        ? `This machine has not seen any ${kind} with this profile, so "${text}" refers to nothing.`
        : `This machine has seen only ${seen} ${kind}${seen === 1 ? '' : 's'} of this service, so "${text}" refers to nothing.`,
    hint:
      kind === 'transaction' && seen === 0
        ? 'Send a document with `esign tx send`, or use the whole ID of a transaction.'
        : WHOLE_ID[kind],
  });

const noneFits = (kind: SeenKind, text: string): CliError =>
  cliError('id_unknown', {
    sentence:
      text.length < SHORTEST_PART
        ? `"${text}" is too short. Part of a ${kind} ID needs at least ${SHORTEST_PART} characters.`
        : `No ${kind} ID seen on this machine begins or ends with "${text}".`,
    hint: WHOLE_ID[kind],
  });

/** `esign tx list` cannot list what this machine has not seen. */
const WHOLE_ID: Record<SeenKind, string> = {
  transaction: 'Use the whole ID; it works even if this machine has never seen it.',
  template: 'Use the whole ID; `esign templates list` lists them.',
  webhook: 'Use the whole ID; `esign webhooks list` lists them.',
  event: 'Use the whole ID; `esign events list` lists them.',
};

function severalFit(kind: SeenKind, text: string, fitting: readonly SeenItem[]): CliError {
  const errors = fitting.slice(0, MOST_CANDIDATES).map(({ id, name }) => ({ path: id, message: name ?? '' }));
  return cliError('id_ambiguous', {
    sentence: `${fitting.length} ${kind} IDs begin or end with "${text}".`,
    hint: 'Use more of the ID. The ends of IDs differ most.',
    errors,
  });
}

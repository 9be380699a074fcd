// Errors about what stands for something longer: parts of ids, aliases, and filters of the output.
import { errorRow } from '../error-row.ts';
import { EXIT } from '../exit-codes.ts';

const exit = EXIT.usage;

type IdKind = 'transaction' | 'template' | 'webhook' | 'event';

/** Where the ids of each kind are listed. `esign tx list` cannot list what this machine has not seen. */
const LISTS: Record<Exclude<IdKind, 'transaction'>, string> = {
  template: 'esign templates list',
  webhook: 'esign webhooks list',
  event: 'esign events list',
};

type UnknownId =
  | { kind: IdKind; text: string; shortest: number }
  | { kind: IdKind; text: string; seen: number }
  | { kind: IdKind; text: string };

type InvalidAlias =
  | { name: string }
  | { command: string }
  | { empty: string }
  | { unclosed: string }
  | { first: string; line: string };

const SET_ALIAS = '`esign config set aliases.NAME "tx list --status started"`';

const words = (count: number): string => `${count} word${count === 1 ? '' : 's'}`;

export const SHORTCUT_ERRORS = {
  id_unknown: errorRow<UnknownId>({
    exit: EXIT.notFound,
    sentence: (facts) => {
      const { kind, text } = facts;
      if ('shortest' in facts)
        return `"${text}" is too short. Part of a ${kind} ID needs at least ${facts.shortest} characters.`;
      if (!('seen' in facts)) return `No ${kind} ID seen on this machine begins or ends with "${text}".`;
      return facts.seen === 0
        ? `This machine has not seen any ${kind} with this profile, so "${text}" refers to nothing.`
        : `This machine has seen only ${facts.seen} ${kind}${facts.seen === 1 ? '' : 's'} of this service, so "${text}" refers to nothing.`;
    },
    hint: (facts) => {
      if (facts.kind !== 'transaction') return `Use the whole ID; \`${LISTS[facts.kind]}\` lists them.`;
      return 'seen' in facts && facts.seen === 0
        ? 'Send a document with `esign tx send`, or use the whole ID of a transaction.'
        : 'Use the whole ID; it works even if this machine has never seen it.';
    },
    samples: [
      { kind: 'transaction', text: '7f3a' },
      { kind: 'transaction', text: '7f', shortest: 4 },
      { kind: 'webhook', text: '@', seen: 0 },
      { kind: 'transaction', text: '@', seen: 0 },
      { kind: 'transaction', text: '@3', seen: 2 },
    ],
  }),
  id_ambiguous: errorRow<{ kind: IdKind; text: string; count: number }>({
    exit,
    sentence: ({ kind, text, count }) => `${count} ${kind} IDs begin or end with "${text}".`,
    hint: () => 'Use more of the ID. The ends of IDs differ most.',
    samples: [{ kind: 'transaction', text: '7f3a', count: 2 }],
  }),
  jq_invalid: errorRow<{ expression: string; reason: string }>({
    exit,
    sentence: ({ expression, reason }) => `"${expression}" is not a valid jq expression: ${reason}.`,
    hint: () => "Quote the expression for the shell, for example --jq '.items[].id'.",
    samples: [{ expression: 'EXPRESSION', reason: 'REASON' }],
  }),
  jq_failed: errorRow<{ reason: string }>({
    exit: EXIT.unexpected,
    sentence: ({ reason }) => `The command succeeded, but jq could not filter its output: ${reason}.`,
    hint: () => 'Use --json instead of --jq to see the whole output.',
    samples: [{ reason: 'REASON' }],
  }),
  alias_invalid: errorRow<InvalidAlias>({
    exit,
    sentence: (facts) => {
      if ('name' in facts) return `"${facts.name}" is not a valid name for an alias.`;
      if ('command' in facts) return `"${facts.command}" is already a command.`;
      if ('empty' in facts) return `The alias "${facts.empty}" is empty.`;
      if ('unclosed' in facts) return `A quote in "${facts.unclosed}" is not closed.`;
      return `"${facts.first}", the first word of "${facts.line}", is not a command.`;
    },
    hint: (facts) => {
      if ('name' in facts) return 'Use up to 64 letters, digits, - and _, starting with a letter.';
      if ('command' in facts) return 'Choose another name.';
      if ('first' in facts) return `Start with a command, without esign: ${SET_ALIAS}.`;
      return `Set it again, for example ${SET_ALIAS}.`;
    },
    samples: [
      { first: 'WORD', line: 'LINE' },
      { name: '1st' },
      { command: 'tx' },
      { empty: 'NAME' },
      { unclosed: 'tx list "' },
    ],
  }),
  alias_incomplete: errorRow<{ alias: string; line: string; needed: number; given: number }>({
    exit,
    sentence: ({ alias, line, needed, given }) =>
      `The alias "${alias}" (${line}) needs ${words(needed)} after it, not ${given}.`,
    hint: () => 'Add what is missing, or change the alias with `esign config set`.',
    samples: [
      { alias: 'NAME', line: 'tx list --status $1', needed: 1, given: 0 },
      { alias: 'NAME', line: 'tx wait $1 --timeout $2', needed: 2, given: 1 },
    ],
  }),
  alias_loop: errorRow<{ alias: string; other: string }>({
    exit,
    sentence: ({ alias, other }) => `The alias "${alias}" leads back to "${other}".`,
    hint: () => `Start one of them with a command: ${SET_ALIAS}.`,
    samples: [{ alias: 'NAME', other: 'OTHER' }],
  }),
};

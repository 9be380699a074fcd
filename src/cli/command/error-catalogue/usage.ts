// Errors in what was typed: commands, options, arguments and their values.
import { didYouMean } from '../../../common/nearest.ts';
import { errorRow, type NoFacts, plainErrorRow } from '../error-row.ts';
import { EXIT } from '../exit-codes.ts';

const exit = EXIT.usage;

const inCode = (text: string): string => `\`${text}\``;

/** Makes `esign tx send --help` of `tx send`. */
const helpOf = (command: string): string => inCode(['esign', command, '--help'].filter(Boolean).join(' '));

type Conflict =
  | { option: string; conflictsWith: string; why?: string; hint?: string }
  | { option: string; needs: string };

type InvalidValue = {
  name: string;
  value?: string;
  /** How the sentence continues after the value. Without it the sentence says that the value is not valid. */
  problem?: string;
  meant?: string | undefined;
  /** A noun phrase: `a number from 1 to 100`. */
  use?: string;
};

/** A user who wants to delete a transaction must not be led to cancel one that is being signed. */
const DELETES = /^(tx|transactions?|envelopes?) (delete|remove|rm)$/;
const NOT_DELETED = 'A transaction cannot be deleted. `esign tx cancel` ends one that was started. ';

/** What people try who want to make a template → where one is made. */
const MAKES_TEMPLATE = /^templates? (create|new|add|save|make)$/;
const TEMPLATES_MADE =
  'A transaction is saved as a template on its page in the dashboard, or in the sandbox with `esign sandbox template save`. ';

const hintInstead = (command: string): string | undefined =>
  DELETES.test(command) ? NOT_DELETED : MAKES_TEMPLATE.test(command) ? TEMPLATES_MADE : undefined;

export const USAGE_ERRORS = {
  command_unknown: errorRow<{
    command: string;
    meant?: string | undefined;
    within?: string;
    mayBeTopic?: boolean;
  }>({
    exit,
    sentence: ({ command, mayBeTopic }) =>
      mayBeTopic ? `Unknown command or help topic "${command}".` : `Unknown command "esign ${command}".`,
    hint({ command, meant, within = '' }) {
      const next = `List the commands with ${helpOf(within)}.`;
      const instead = hintInstead(command);
      return instead === undefined ? didYouMean(meant && `esign ${meant}`, next, '`') : instead + next;
    },
    samples: [
      { command: 'WORD' },
      { command: 'tx sned', meant: 'tx send', within: 'tx' },
      { command: 'tx delete', meant: 'tx cancel', within: 'tx' },
      { command: 'templates create', within: 'templates' },
      { command: 'sned', meant: 'tx send', mayBeTopic: true },
    ],
  }),
  option_unknown: errorRow<{ option: string; command: string; meant?: string | undefined }>({
    exit,
    sentence: ({ option, command }) =>
      `Unknown option ${option}${command === '' ? '' : ` for ${inCode(`esign ${command}`)}`}.`,
    hint: ({ command, meant }) => didYouMean(meant, `List the options with ${helpOf(command)}.`, ''),
    samples: [
      { option: '--OPTION', command: '' },
      { option: '--jsno', command: 'tx send', meant: '--json' },
    ],
  }),
  argument_missing: errorRow<{ what: string; hint: string }>({
    exit,
    sentence: ({ what }) => `No ${what} given.`,
    hint: ({ hint }) => hint,
    samples: [{ what: 'ARGUMENT', hint: 'Add the argument.' }],
  }),
  arguments_too_many: errorRow<{ command: string; most: number }>({
    exit,
    sentence: ({ command, most }) =>
      `Too many arguments for ${inCode(`esign ${command}`)}: it takes ${most === 0 ? 'none' : `at most ${most}`}.`,
    hint: ({ command }) => `Quote values that contain spaces. See ${helpOf(command)}.`,
    samples: [
      { command: 'tx show', most: 1 },
      { command: 'whoami', most: 0 },
    ],
  }),
  option_missing: errorRow<{ option: string; by: string }>({
    exit,
    sentence: ({ option, by }) => `${by} needs ${option}.`,
    hint: ({ option }) => `Add ${option}.`,
    samples: [{ option: '--OPTION', by: 'This command' }],
  }),
  value_missing: errorRow<{ missing: readonly string[]; hint: string }>({
    exit,
    sentence: ({ missing }) =>
      missing.length === 1 ? `${missing[0]} is missing.` : `These values are missing: ${missing.join(', ')}.`,
    hint: ({ hint }) => hint,
    samples: [
      { missing: ['VALUE'], hint: 'Add --OPTION VALUE.' },
      { missing: ['name', 'endpoint'], hint: 'Add --name TEXT --endpoint URL.' },
    ],
  }),
  value_invalid: errorRow<InvalidValue | { count: number }>({
    exit,
    sentence: (facts) => {
      if ('count' in facts) return `${facts.count} values are not valid.`;
      const { name, value, problem } = facts;
      if (problem === undefined) return `"${value}" is not a valid value for ${name}.`;
      return `${name}${value === undefined ? '' : ` "${value}"`} ${problem}.`;
    },
    hint: (facts) => {
      if ('count' in facts) return 'Correct these values and try again.';
      const { use, meant, problem } = facts;
      if (use !== undefined) return didYouMean(meant, `Use ${use}.`, '');
      // The sentence says already what is accepted.
      return problem === undefined ? 'Add --help to the command to see the accepted values.' : undefined;
    },
    samples: [
      { name: '--OPTION', value: 'VALUE' },
      { name: '--limit', value: 'x', use: 'a whole number from 1 to 100' },
      { name: '--expires', value: '9y', problem: 'is longer than a year', use: 'a duration such as 10m' },
      { name: '--type', value: 'a', problem: 'is not an event type', meant: 'b', use: 'one of b, c' },
      { name: '--reason', problem: 'must not be empty' },
      { count: 2 },
    ],
  }),
  options_conflict: errorRow<Conflict>({
    exit,
    sentence: (facts) =>
      'needs' in facts
        ? `${facts.option} needs ${facts.needs}.`
        : `${facts.option} and ${facts.conflictsWith} cannot be used together.${facts.why ? ` ${facts.why}` : ''}`,
    hint: (facts) =>
      'needs' in facts
        ? `Add ${facts.needs}, or leave out ${facts.option}.`
        : (facts.hint ?? 'Leave one of them out.'),
    samples: [
      { option: '--OPTION', conflictsWith: '--OTHER' },
      { option: '--code', conflictsWith: '--expires', why: 'A code always expires after ten minutes.' },
      {
        option: '--jq',
        conflictsWith: '--select',
        hint: "Leave out --select; --jq '.items[] | {id, name}' selects properties as well.",
      },
      { option: '--timeout', needs: '--wait' },
    ],
  }),
  stdin_twice: plainErrorRow({
    exit,
    sentence: 'Standard input can be read only once.',
    hint: 'Use - for one file only.',
  }),
  confirmation_needed: errorRow<{ question: string }>({
    exit,
    sentence: ({ question }) => `This command needs a confirmation: ${question}`,
    hint: () => 'Add --yes to confirm without a prompt.',
    samples: [{ question: 'QUESTION?' }],
  }),
  not_confirmed: errorRow<NoFacts>({
    exit: EXIT.interrupted,
    sentence: () => 'You did not confirm. Nothing was changed.',
    samples: [{}],
  }),
  confirmation_unavailable: plainErrorRow({
    exit: EXIT.access,
    sentence:
      'A person must confirm this, and the client of the MCP server cannot show a form. Nothing was changed.',
    hint: 'Use a client that supports elicitation, start the server with `esign mcp --allow-send`, or use the sandbox.',
  }),
  confirmation_outdated: plainErrorRow({
    exit: EXIT.conflict,
    sentence:
      'This is not what the person has confirmed, or the answer was used before. Nothing was changed.',
    hint: 'Call the tool again.',
  }),
  tool_input_invalid: errorRow<{ tool: string; problems: readonly string[] }>({
    exit,
    sentence: ({ tool, problems }) => `The input of ${tool} is not valid: ${problems.join('; ')}.`,
    hint: () => 'See the input schema of the tool.',
    samples: [{ tool: 'send_documents', problems: ['files is string, not array'] }],
  }),
  nothing_to_change: plainErrorRow({
    exit,
    sentence: 'No changes given.',
    hint: 'Add at least one option. See `esign tx update --help`.',
  }),
  property_unknown: errorRow<{ property: string; meant?: string | undefined; known: readonly string[] }>({
    exit,
    sentence: ({ property }) => `The output has no property "${property}" (--select).`,
    hint: ({ meant, known }) =>
      didYouMean(meant, `Use ${known.length === 1 ? '' : 'one or more of '}${known.join(', ')}.`),
    samples: [
      { property: 'PROPERTY', known: ['id', 'status'] },
      { property: 'stauts', meant: 'status', known: ['id', 'status'] },
      { property: 'x', known: ['id'] },
    ],
  }),
  property_missing: errorRow<{ property: string; known: readonly string[] }>({
    exit: EXIT.unexpected,
    sentence: ({ property }) =>
      `The command succeeded, but its output has no property "${property}" (--select).`,
    hint: ({ known }) => `Use ${known.length === 1 ? '' : 'one or more of '}${known.join(', ')}.`,
    samples: [{ property: 'PROPERTY', known: ['id', 'status'] }],
  }),
  resume_with_more: errorRow<{ other: string }>({
    exit,
    sentence: ({ other }) => `--resume and ${other} cannot be used together. The plan is resumed unchanged.`,
    hint: ({ other }) => `Leave out ${other}, or send a new transaction without --resume.`,
    samples: [{ other: '--OPTION' }],
  }),
  edit_without_terminal: plainErrorRow({
    exit,
    sentence: '--edit waits for a person at a terminal, and there is none.',
    hint: 'Create the draft with --draft, and open the URL that `esign tx fields ID --edit` prints.',
  }),
  operation_unknown: errorRow<{ operation: string; meant?: string | undefined }>({
    exit,
    sentence: ({ operation }) => `Unknown operation "${operation}".`,
    hint: ({ meant }) => didYouMean(meant, 'List the operations with `esign api routes`.'),
    samples: [{ operation: 'OPERATION' }, { operation: 'transaction.cancle', meant: 'transaction.cancel' }],
  }),
  address_elsewhere: errorRow<{ address: string; baseUrl?: string }>({
    exit,
    sentence: ({ address, baseUrl }) =>
      baseUrl === undefined
        ? `"${address}" is not a path.`
        : `The URL ${address} does not belong to the service ${baseUrl}.`,
    hint: ({ baseUrl }) =>
      baseUrl === undefined
        ? 'Start the path with a slash, for example /v1/template.'
        : 'An access token is sent only to its own service. To call another service, use its profile with --profile NAME.',
    samples: [{ address: 'ADDRESS', baseUrl: 'BASE_URL' }, { address: 'v1' }],
  }),
  json_property_unknown: errorRow<{
    source: string;
    /** Empty at the top. */
    place: string;
    name: string;
    meant?: string | undefined;
    names: readonly string[];
  }>({
    exit,
    sentence: ({ source, place, name }) =>
      `${source}${place === '' ? '' : `: ${place}`} has the unknown property "${name}".`,
    hint: ({ meant, names }) => didYouMean(meant) || `Use ${names.join(', ')}.`,
    samples: [
      { source: 'FILE', place: 'field 2', name: 'lable', meant: 'label', names: ['label'] },
      { source: 'FILE', place: '', name: 'x', names: ['name', 'description'] },
    ],
  }),
  malformed_json: errorRow<{ source: string; isEmpty: boolean }>({
    exit,
    sentence: ({ source, isEmpty }) => `${source} is ${isEmpty ? 'empty' : 'not valid JSON'}.`,
    hint: ({ isEmpty }) => (isEmpty ? 'Add a JSON value.' : 'Correct the JSON and try again.'),
    samples: [
      { source: 'FILE', isEmpty: false },
      { source: 'Standard input', isEmpty: true },
    ],
  }),
  variable_invalid: errorRow<{ name: string; value?: string; use: string }>({
    exit,
    sentence: ({ name, value }) =>
      value === undefined
        ? `The value of ${name} is invalid.`
        : `"${value}" is not a valid value for ${name}.`,
    hint: ({ use }) => `Use ${use}.`,
    samples: [
      { name: 'VARIABLE', value: 'VALUE', use: 'an accepted value; see `esign help environment`' },
      { name: 'ESIGN_WEBHOOK_SECRET', use: 'the secret of a webhook' },
    ],
  }),
  usage: errorRow<{ problem: string; command: string }>({
    exit,
    sentence: ({ problem }) => problem,
    hint: ({ command }) => `See ${helpOf(command)}.`,
    samples: [{ problem: 'The command line cannot be understood.', command: '' }],
  }),
  program_not_started: errorRow<{ program: string; problem: string }>({
    exit,
    sentence: ({ program, problem }) => `"${program}" ${problem}.`,
    hint: () => 'Check the name after --, and PATH.',
    samples: [{ program: 'PROGRAM', problem: 'was not found' }],
  }),
  terminal_without_pictures: plainErrorRow({
    exit,
    sentence: 'This terminal does not report that it can display images.',
    hint: 'Leave out --show and open the files. Images are displayed in kitty, Ghostty, Konsole, WezTerm, iTerm2, mintty, foot and mlterm, but not inside tmux or screen.',
  }),
};

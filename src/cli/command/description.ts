// A command as data, without what it does: what help, completion, man pages and `esign commands --json` are made from.

/** What a value names. TAB offers what this machine has seen or has on its disk, and errors name what was probably meant. */
export type Completes =
  | 'transaction'
  | 'template'
  | 'webhook'
  | 'user'
  | 'application'
  | 'mail'
  | 'snapshot'
  | 'profile'
  | 'recipient'
  | 'file'
  | 'folder'
  | 'operation'
  | 'setting'
  | 'command'
  | 'event'
  | 'event_type'
  | 'scope';

export type ArgumentSpec = {
  name: string;
  summary: string;
  repeat?: true;
  optional?: true;
  choices?: readonly string[];
  completes?: Completes;
};

/** Without `value` an option is a switch. */
export type OptionSpec = {
  summary: string;
  /** Whole sentences that only the man page has room for. */
  details?: string;
  /** The placeholder of the value in help: `TEXT`, `DAYS`. */
  value?: string;
  short?: string;
  repeat?: true;
  /** The option must be given. */
  required?: true;
  choices?: readonly string[];
  default?: string;
  completes?: Completes;
  /** The heading that it stands under in help, where a list is long. */
  group?: string;
};

export type Example = { line: string; about: string };

export type OptionDescription = OptionSpec & { name: string };

export type CommandDescription = {
  path: string[];
  /** `esign tx show <ID>`, without options. */
  usage: string;
  summary: string;
  details: string | undefined;
  /** Paragraphs below the details that only the man page has room for. */
  manual: string | undefined;
  arguments: readonly ArgumentSpec[];
  options: OptionDescription[];
  json: string;
  examples: readonly Example[];
};

/** Writes an argument as the help of a command shows it: `<ID>`, `[FILE...]`. */
export function argumentUsage({ name, optional, repeat }: ArgumentSpec): string {
  const inner = `${name.toUpperCase()}${repeat ? '...' : ''}`;
  return optional ? `[${inner}]` : `<${inner}>`;
}

/** Writes an option as help and man pages show it: `-o, --output DIR`. */
export const optionUsage = ({ name, short, value }: OptionDescription): string =>
  `${short ? `-${short}, ` : ''}--${name}${value === undefined ? '' : ` ${value}`}`;

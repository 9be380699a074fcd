// What a command is: its description, from which parser, help, completion and documents are made, and a function from
// what was typed to an Outcome. A command never prints, prompts or exits by itself.
import type { CommandContext } from './context.ts';
import type { ArgumentSpec, Example, OptionSpec } from './description.ts';
import { withEnvFile } from './env-file-options.ts';
import type { JsonOutput } from './json-output.ts';
import type { Outcome } from './outcome.ts';

type ValueOf<O extends OptionSpec> = O extends { value: string }
  ? O extends { repeat: true }
    ? string[]
    : O extends { required: true } | { default: string }
      ? string
      : string | undefined
  : boolean;

type ArgumentOf<A extends ArgumentSpec> = A extends { repeat: true }
  ? string[]
  : A extends { optional: true }
    ? string | undefined
    : string;

export type CommandInput<A extends readonly ArgumentSpec[], O extends Record<string, OptionSpec>> = {
  args: { [S in A[number] as S['name']]: ArgumentOf<S> };
  options: { [K in keyof O]: ValueOf<O[K]> };
};

/** What the parser returns, before a command gives it its types. */
export type RawInput = { args: Record<string, unknown>; options: Record<string, unknown> };

/** Describes the secrets that a command creates or prints. Its JSON declares them, and it has --env-path, --env-name and --replace. */
type Secrets = {
  /** How to get the secret when the file could not be written, in whole sentences. */
  again: string;
  /** Which of its properties a call prints, where that is not all of them. */
  printed?(options: RawInput['options']): readonly string[];
  /** The variables of secrets whose names depend on the input. */
  variables?(context: CommandContext, input: RawInput): Promise<readonly string[]>;
  /** A switch without which there is no secret. */
  requires?: string;
  /** An option with which there is no secret. */
  excludes?: string;
  /** Tells whether the call is of no use without its secrets. Without this, it is where it prints one. */
  isAll?(options: RawInput['options']): boolean;
};

type Description = {
  summary: string;
  /** More than a line, shown in the help of the command. */
  details?: string;
  /** Paragraphs below the details that only the man page has room for. */
  manual?: string;
  /** What `--json` prints. */
  json: JsonOutput;
  secrets?: Secrets;
  examples: readonly Example[];
};

export type Command = Description & {
  arguments: readonly ArgumentSpec[];
  options: Readonly<Record<string, OptionSpec>>;
  /** Checks the values without a request. Called when an ID cannot be found, so that a wrong value is reported before it. */
  check?(context: CommandContext, input: RawInput): Promise<void>;
  run(context: CommandContext, input: RawInput): Promise<Outcome>;
};

type Definition<A extends readonly ArgumentSpec[], O extends Record<string, OptionSpec>> = Description & {
  arguments: A;
  options: O;
  check?(context: CommandContext, input: CommandInput<A, O>): Promise<void>;
  run(context: CommandContext, input: CommandInput<A, O>): Promise<Outcome>;
};

/** Gives a command the types of its input. The parser builds the input from the same data, so the two agree. */
export function defineCommand<
  const A extends readonly ArgumentSpec[],
  const O extends Record<string, OptionSpec>,
>(definition: Definition<A, O>): Command {
  const { check, ...described } = definition;
  const command: Command = {
    ...described,
    ...(check && {
      check: (context: CommandContext, input: RawInput) =>
        check(context, input as unknown as CommandInput<A, O>),
    }),
    run: (context, input) => definition.run(context, input as unknown as CommandInput<A, O>),
  };
  return definition.secrets ? withEnvFile(command) : command;
}

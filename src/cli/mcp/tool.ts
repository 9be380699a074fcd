// What a tool of the MCP server is: a description, from which a client learns what it takes and gives, and a function from the
// input of a call to the command that does the work.
import { differencesFrom, type JsonSchema } from '../command/json-output.ts';
import { invalidValue } from '../command/wrong-input.ts';
import { safeLines } from '../terminal/safe-text.ts';

/** The command behind a call, with its arguments and options as the parser would give them. */
export type ToolCommand = {
  path: readonly string[];
  args?: Readonly<Record<string, unknown>>;
  options?: Readonly<Record<string, unknown>>;
  /** Overwrites existing files, as with `--yes`. */
  isConfirmed?: boolean;
  /** The digest of what a person has confirmed: the command does nothing else. */
  confirmed?: string;
};

/** What a call may use besides its input. */
export type ToolAccess = {
  /** Turns a file of the input into the path of a file that the server may read. */
  readable(file: unknown): Promise<string>;
  /** Reads such a file once, and returns the path of a copy that nobody else changes until the call ends. */
  copied(file: unknown): Promise<string>;
  /** Turns a path of the input into the real path of a directory that the server may write to. */
  writable(path: string): Promise<string>;
  /** A new directory, which is deleted after the call. */
  scratch(): Promise<string>;
};

export type ToolInput = Readonly<Record<string, unknown>>;

/** What a person confirms before people outside of this machine are asked for anything. */
export type Question = {
  /** Finds out what would be done, without asking anybody for anything. */
  prepare(call: {
    input: ToolInput;
    command: ToolCommand;
    /** Runs a command. @returns what it prints */
    run(command: ToolCommand): Promise<unknown>;
  }): Promise<Prepared>;
  /**
   * The lines that the person reads.
   * @throws CliError where they would be too many or too long to be read
   */
  lines(json: unknown, input: ToolInput): readonly string[];
};

export type Prepared = {
  /** What the person is shown. The command that acts makes the same again first, and must find it equal. */
  json: unknown;
  /** The draft that was made, and the command that starts it instead of the command of the call. */
  draft?: { id: string; start: ToolCommand };
};

export type Hints = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

export type Tool = {
  name: string;
  title: string;
  description: string;
  hints: Hints;
  input: JsonSchema;
  output: JsonSchema;
  /** Only a server that acts for the sandbox has it. */
  isOfSandbox?: true;
  command(input: ToolInput, access: ToolAccess): Promise<ToolCommand>;
  /** Absent for a tool that asks nobody for anything. */
  question?: (input: ToolInput) => Question | undefined;
  /** Makes the output from what the command printed; absent: it is what the command printed. */
  result?: (json: unknown, exit: number) => unknown;
  /** The files that the command has written. */
  files?: (json: unknown) => readonly string[];
  /** The picture to show beside the output. */
  picture?: (json: unknown) => string | undefined;
};

/** No path that leaves a directory or has an extension is made of these characters. */
const WHOLE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;
/** Another program of this machine may change what an abbreviation means meanwhile. */
const ABBREVIATED_ID = /^[0-9a-f-]{0,35}$/i;

/** Reads the ID of a transaction or template from the input. */
export function idOf({ id }: ToolInput): { id: string } {
  const whole = typeof id === 'string' ? id : '';
  if (!WHOLE_ID.test(whole) || ABBREVIATED_ID.test(whole))
    throw invalidValue({ name: 'id', value: whole, use: 'a whole ID' });
  return { id: whole };
}

/** Lists what is wrong with the input of a call. */
export const wrongInput = (tool: Tool, input: unknown): string[] => differencesFrom(tool.input, input);

/**
 * Keeps what the schema describes, and makes every text safe. A property that the schema does not have, such as one with a secret that a
 * later version of a command prints, never reaches a client. What a service has left out is null where that is described.
 */
export function fitTo(schema: JsonSchema, value: unknown): unknown {
  if (schema.anyOf) {
    const fitted = schema.anyOf.map((alternative) => ({ alternative, value: fitTo(alternative, value) }));
    return fitted.find((item) => differencesFrom(item.alternative, item.value).length === 0)?.value ?? null;
  }
  if (typeof value === 'string') return safeLines(value);
  if (Array.isArray(value)) return value.map((item) => fitTo(schema.items ?? {}, item));
  if (typeof value !== 'object' || value === null) return value;
  const { properties = {}, required = [] } = schema;
  const entries = new Map(Object.entries(value).filter(([, inner]) => inner !== undefined));
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      if (entries.has(name)) return [[name, fitTo(property, entries.get(name))]];
      return required.includes(name) && differencesFrom(property, null).length === 0 ? [[name, null]] : [];
    }),
  );
}

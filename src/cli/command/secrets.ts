// Commands that create or print a secret. What is printed stays in logs, in the scrollback and with whoever reads along, so that each of
// these commands can write its secrets to a file of variables instead. Their JSON Schemas say which properties are secrets.
import { resolve } from 'node:path';
import { isRunByAssistant } from '../../config/environment.ts';
import { checkEnvFile, type EnvFile, EnvFileError, writeEnvFile } from '../../credentials/env-file.ts';
import type { Command, RawInput } from './command.ts';
import type { CommandContext } from './context.ts';
import { cliError } from './errors.ts';
import { secretsOf } from './json-output.ts';
import type { Outcome } from './outcome.ts';
import { invalidValue, optionNeeds, optionsConflict } from './wrong-input.ts';

/** Runs a command that has secrets: writes them to the file of --env-path, if it is given, or marks them for the terminal. */
export async function runWithSecrets(
  context: CommandContext,
  command: Command,
  input: RawInput,
): Promise<Outcome> {
  const { options } = input;
  const file = envFileOf(context, options);
  if (!file) {
    if (isHidden(context) && isForSecrets(command, options))
      throw cliError('secret_hidden', {
        sentence: command.secrets?.isAll
          ? 'This command prints a secret, and a program with a language model reads its output.'
          : 'This command makes a secret that is shown only once, and a program with a language model reads its output.',
        hint: 'Write the secret to a file with --env-path FILE. Or add --reveal if it may be in the conversation.',
      });
    const outcome = await command.run(context, input);
    return { ...outcome, secrets: secretsIn(command, outcome.json, options).map(({ value }) => value) };
  }
  const { requires, excludes } = command.secrets ?? {};
  if (requires !== undefined && options[requires] !== true) throw optionNeeds('--env-path', `--${requires}`);
  if (excludes !== undefined && options[excludes] !== undefined && options[excludes] !== false)
    throw optionsConflict('--env-path', `--${excludes}`);
  await check(file, (await command.secrets?.variables?.(context, input)) ?? variablesOf(command, options));
  const outcome = await command.run(context, input);
  return saved(outcome, command, { file, options });
}

/** Without its secrets, the call would be of no use: it prints nothing else, or what it makes has a secret that is shown once. */
function isForSecrets(command: Command, options: RawInput['options']): boolean {
  const { isAll, excludes } = command.secrets ?? {};
  if (isAll) return isAll(options);
  if (excludes !== undefined && options[excludes] !== undefined) return false;
  return printedBy(command, options).length > 0;
}

const isHidden = ({ settings, process }: Pick<CommandContext, 'settings' | 'process'>): boolean =>
  isRunByAssistant(process.environment.variables) && !settings.reveal;

function envFileOf(
  { process }: Pick<CommandContext, 'process'>,
  options: RawInput['options'],
): EnvFile | undefined {
  const { 'env-path': shown, 'env-name': name, replace } = options;
  if (typeof shown !== 'string') {
    if (name !== undefined) throw optionNeeds('--env-name', '--env-path');
    if (replace === true) throw optionNeeds('--replace', '--env-path');
    return undefined;
  }
  if (typeof name === 'string' && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw invalidValue({
      name: '--env-name',
      value: name,
      use: 'letters, digits and underscores, for example WEBHOOK_SECRET',
    });
  return { path: resolve(process.workingDir, shown), shown, isReplaced: replace === true };
}

async function check(file: EnvFile, names: readonly string[]): Promise<void> {
  try {
    await checkEnvFile(file, names);
  } catch (error) {
    if (!(error instanceof EnvFileError)) throw error;
    throw cliError(error.isTaken ? 'env_name_taken' : 'env_file_unusable', {
      sentence: error.message,
      hint: `${error.hint} Nothing was created or changed.`,
    });
  }
}

/** Lists the variables as far as they can be known before. */
const variablesOf = (command: Command, options: RawInput['options']): string[] =>
  printedBy(command, options).map((property) => variableOf(command, options, property));

const printedBy = ({ json, secrets }: Command, options: RawInput['options']): readonly string[] =>
  secrets?.printed?.(options) ?? [...secretsOf(json).keys()];

function variableOf(command: Command, options: RawInput['options'], property: string): string {
  const standard = secretsOf(command.json).get(property) ?? property.toUpperCase();
  const { 'env-name': name } = options;
  if (typeof name !== 'string') return standard;
  return printedBy(command, options).length === 1 ? name : `${name}_${standard.replace(/^ESIGN_/, '')}`;
}

/** The variables of an object with a name that has a map of secrets: `ORDERS_CLIENT_SECRET`. */
export const variableOfNamed = (options: RawInput['options'], name: string, property: string): string =>
  [options['env-name'], name, property]
    .filter((part) => typeof part === 'string')
    .map((part) => part.toUpperCase().replace(/[^A-Z0-9]+/g, '_'))
    .join('_')
    .replace(/^(?=[0-9])/, '_');

/** @property variable absent for a secret that this call does not print alone, as the refresh token with --raw */
type FoundSecret = { variable: string | undefined; value: string };

function secretsIn(command: Command, json: unknown, options: RawInput['options']): FoundSecret[] {
  if (Array.isArray(json)) return json.flatMap((item) => secretsIn(command, item, options));
  if (typeof json !== 'object' || json === null) return [];
  const declared = secretsOf(command.json);
  return Object.entries(json).flatMap(([property, inner]) =>
    declared.has(property)
      ? secretsOfProperty(command, options, { property, inner, name: (json as { name?: unknown }).name })
      : secretsIn(command, inner, options),
  );
}

function secretsOfProperty(
  command: Command,
  options: RawInput['options'],
  { property, inner, name }: { property: string; inner: unknown; name: unknown },
): FoundSecret[] {
  if (typeof inner === 'string') {
    const isPrinted = printedBy(command, options).includes(property);
    return [{ variable: isPrinted ? variableOf(command, options, property) : undefined, value: inner }];
  }
  return Object.entries(inner ?? {}).map(([key, value]) => ({
    variable: variableOfNamed(options, String(name), key),
    value: String(value),
  }));
}

type Saving = { file: EnvFile; options: RawInput['options'] };

async function saved(outcome: Outcome, command: Command, { file, options }: Saving): Promise<Outcome> {
  const secrets = secretsIn(command, outcome.json, options);
  const variables = new Map(
    secrets.flatMap(({ variable, value }) => (variable === undefined ? [] : [[variable, value] as const])),
  );
  const names = [...variables.keys()];
  if (names.length === 0)
    return {
      ...outcome,
      notes: [...(outcome.notes ?? []), `There is no secret, so nothing was written to ${file.shown}.`],
    };
  const { wasShared } = await write(file, variables, command);
  const places = new Map(
    secrets.map(({ variable, value }) => [
      value,
      variable === undefined ? 'not printed' : `${variable} in ${file.shown}`,
    ]),
  );
  const { json, ...shown } = outcome;
  return {
    ...(mapTexts(shown, (text) => places.get(text) ?? text) as typeof shown),
    json: withFile(json, command, { file, options }),
    notes: [
      ...(outcome.notes ?? []),
      `Wrote ${names.join(' and ')} to ${file.shown}.`,
      ...(wasShared ? [`Other users could read ${file.shown} before. Now only you can.`] : []),
    ],
  } as Outcome;
}

async function write(file: EnvFile, variables: ReadonlyMap<string, string>, { secrets }: Command) {
  try {
    return await writeEnvFile(file, variables);
  } catch (error) {
    throw cliError('env_file_unwritten', {
      sentence: `The command succeeded, but the secret could not be written to "${file.shown}": ${(error as Error).message}`,
      hint: secrets?.again ?? 'Run the command again.',
    });
  }
}

/** Names the file and the variables in place of the secrets. */
function withFile(json: unknown, command: Command, { file, options }: Saving): unknown {
  if (Array.isArray(json)) return json.map((item) => withFile(item, command, { file, options }));
  if (typeof json !== 'object' || json === null) return json;
  const declared = secretsOf(command.json);
  const { name } = json as { name?: unknown };
  const entries = Object.entries(json);
  const names = entries.flatMap(([property, inner]) =>
    declared.has(property)
      ? secretsOfProperty(command, options, { property, inner, name }).flatMap(
          ({ variable }) => variable ?? [],
        )
      : [],
  );
  return {
    ...Object.fromEntries(
      entries.flatMap(([property, inner]) =>
        declared.has(property) ? [] : [[property, withFile(inner, command, { file, options })]],
      ),
    ),
    ...(names.length > 0 && { env_file: file.shown, env_names: names }),
  };
}

/** Changes every text of a value, and nothing else of it. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change)]));
}

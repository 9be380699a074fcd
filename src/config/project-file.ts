// Reads the file of a project, which has defaults for its transactions. It comes with a repository, which other people may have
// written, so it must never decide where a token is sent: addresses, routes and credentials in it are an error.

import { join } from 'node:path';
import { isRecord } from '../common/json.ts';
import { didYouMean } from '../common/nearest.ts';
import { readOwnFile, whyUnread } from '../files/read-file.ts';
import { UntrustedError } from '../files/trust.ts';
import { ConfigError } from './environment.ts';

export const PROJECT_FILE = 'esign.config.json';

/** As the options of `tx send` of the same names take them. */
export type Project = {
  name?: string;
  description?: string;
  subject?: string;
  message?: string;
  alias?: string;
  /** Days. */
  expires?: string;
  to?: string[];
  /** SPECs, or objects as in a file of fields. */
  field?: (string | Record<string, unknown>)[];
  tags?: true;
  'form-fields'?: true;
  'form-to'?: string;
};

const TEXTS = ['name', 'description', 'subject', 'message', 'alias', 'form_to'] as const;
const SWITCHES = ['tags', 'form_fields'] as const;
const KEYS: readonly string[] = [...TEXTS, 'expires', 'to', 'field', ...SWITCHES];

/** `form_to` → `form-to` */
const optionOf = <K extends string>(key: K): K extends `form_${infer Rest}` ? `form-${Rest}` : K =>
  key.replace('_', '-') as never;

const LONGEST_BYTES = 1024 * 1024;

/** Finds the candidate that a misspelt word may mean. */
type Suggest = (word: string, candidates: readonly string[]) => string | undefined;

/** Reads the file. Undefined when the folder has none. @throws ConfigError that names the wrong property */
export async function readProject(folder: string, suggest: Suggest): Promise<Project | undefined> {
  const text = await textOf(join(folder, PROJECT_FILE));
  return text === undefined ? undefined : parseProject(text, suggest);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    const bytes = readOwnFile(path, { mostBytes: LONGEST_BYTES });
    return bytes && new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof UntrustedError) throw wrong(`is not used because it ${error.why}`, error.hint);
    throw wrong(`cannot be read (${whyUnread(error)})`, 'Check its permissions.');
  }
}

function parseProject(text: string, suggest: Suggest): Project {
  const source = recordIn(text);
  for (const key of Object.keys(source)) if (!KEYS.includes(key)) throw unknownKey(key, suggest(key, KEYS));
  const project: Project = {};
  for (const key of TEXTS) {
    const value = source[key];
    if (value === undefined) continue;
    if (typeof value !== 'string') throw mustBe(key, 'a string');
    project[optionOf(key)] = value;
  }
  for (const key of SWITCHES) {
    const value = source[key];
    if (value === undefined) continue;
    if (typeof value !== 'boolean') throw mustBe(key, 'true or false');
    if (value) project[optionOf(key)] = true;
  }
  const { to, field } = source;
  if (to !== undefined) {
    if (!isListOf(to, isText)) throw mustBe('to', 'a list of strings');
    project.to = to;
  }
  if (field !== undefined) {
    if (!isListOf(field, isField)) throw mustBe('field', 'a list of strings and objects');
    project.field = field;
  }
  const { expires } = source;
  if (expires !== undefined && !Number.isSafeInteger(expires) && !isDays(expires))
    throw mustBe('expires', 'a number of days, such as 14 or "14d"');
  return { ...project, ...(expires !== undefined && { expires: String(expires) }) };
}

const isDays = (value: unknown): boolean => isText(value) && /^\d{1,9}d$/.test(value);

const isText = (value: unknown): value is string => typeof value === 'string';

const isField = (value: unknown): value is string | Record<string, unknown> =>
  isText(value) || isRecord(value);

const isListOf = <T>(value: unknown, isOne: (item: unknown) => item is T): value is T[] =>
  Array.isArray(value) && value.every(isOne);

function recordIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Said below.
  }
  throw wrong('is not a JSON object', 'Correct the file, or remove it.');
}

const ELSEWHERE = /url|address|route|profile|token|secret|credential|client|sender|notif|endpoint/i;

const unknownKey = (key: string, meant: string | undefined): ConfigError =>
  ELSEWHERE.test(key)
    ? wrong(
        `contains "${key}", which is not allowed in a project file, because it could send documents or tokens to another service`,
        'Set it in a profile with `esign config set KEY VALUE`.',
      )
    : wrong(`contains the unknown property "${key}"`, didYouMean(meant) || `Use ${KEYS.join(', ')}.`);

const mustBe = (key: string, wanted: string): ConfigError =>
  wrong(`contains an invalid value: "${key}" must be ${wanted}`, 'Correct the file, or remove it.');

const wrong = (what: string, hint: string): ConfigError =>
  new ConfigError('project_file_invalid', `${PROJECT_FILE} ${what}.`, hint);

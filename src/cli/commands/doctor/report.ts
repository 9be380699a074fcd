// `esign doctor --report`: writes Markdown for an issue. It must contain nothing that is secret or personal: it shows the
// values of a few settings, only the names of variables, and every line goes through `withoutPersons`.
import { writeFile } from 'node:fs/promises';
import { arch, release } from 'node:os';
import { resolve } from 'node:path';
import { flattenSettings, type SettingLine } from '../../../config/config-file.ts';
import type { Environment, Variables } from '../../../config/environment.ts';
import type { Check } from '../../checks/check.ts';
import type { Uses } from '../../command/context.ts';
import { type CliError, cliError } from '../../command/errors.ts';
import { nodeVersion, platform } from '../../process/edges.ts';
import { safeText } from '../../terminal/safe-text.ts';

/** Writes the report into a new file; never replaces an existing one. */
export async function writeReport(
  context: Uses<'config' | 'process' | 'program'>,
  checks: readonly Check[],
  file: string,
): Promise<string> {
  const { environment, workingDir } = context.process;
  const path = resolve(workingDir, file);
  const settings = await context.config.read().then(
    (stored) => flattenSettings(stored, undefined),
    () => undefined,
  );
  const text = renderReport({ version: context.program.version, checks, settings, environment });
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw notWritten(error as NodeJS.ErrnoException, file);
  }
  return path;
}

const notWritten = ({ code = '' }: NodeJS.ErrnoException, path: string): CliError =>
  code === 'EEXIST'
    ? cliError('file_exists', {
        sentence: `"${path}" already exists.`,
        hint: 'Remove it, or specify another file with --report.',
      })
    : cliError('file_not_writable', {
        sentence: `"${path}" cannot be written: ${code}.`,
        hint: 'Specify a file in a directory you can write to with --report.',
      });

export type ReportParts = {
  version: string;
  checks: readonly Check[];
  /** Undefined when the file of profiles cannot be read, which a check reports. */
  settings: readonly SettingLine[] | undefined;
  environment: Environment;
};

export function renderReport({ version, checks, settings, environment }: ReportParts): string {
  const clean = (text: string) => withoutPersons(safeText(text), environment);
  const lines = [
    '# esign doctor',
    '',
    `- esign ${version}`,
    `- Node ${nodeVersion()}`,
    `- ${platform} ${release()} ${arch()}`,
    '',
    '## Checks',
    '',
    ...checks.map(({ state, name, says, hint }) =>
      clean(`- **${state}** ${name}: ${says}${hint === undefined ? '' : ` ${hint}`}`),
    ),
    '',
    '## Settings',
    '',
    ...(settings ?? []).map(({ key, value }) => clean(`- \`${key}\`: ${shownValue(key, value)}`)),
    ...(settings?.length === 0 ? ['None.'] : []),
    ...(settings === undefined ? ['They cannot be read.'] : []),
    '',
    '## Variables that are set',
    '',
    namesIn(environment.variables).join(', ') || 'None.',
    '',
  ];
  return lines.join('\n');
}

/** Settings that say how something works, and not who or where. */
const HARMLESS =
  /^(profile|profiles\.[^.]+\.(idempotency|makes_recipient_ids|redirect_uri|echoes_state|routes\..+))$/;

function shownValue(key: string, value: string | boolean): string {
  return typeof value === 'boolean' || HARMLESS.test(key) ? String(value) : '(set)';
}

/** The names of the variables that change how Node and this program work. */
const namesIn = (variables: Variables): string[] =>
  Object.keys(variables)
    .filter((name) => /^(ESIGN_\w+|NODE_\w+|(HTTPS?|NO|ALL)_PROXY|XDG_\w+_HOME|CI)$/i.test(name))
    .sort();

/** `DBUS_SESSION_BUS_ADDRESS` is no key. */
const VARIABLE_NAME = /^[A-Z]+(?:_[A-Z]+)+$/;

const SECRET_NAME = /TOKEN|SECRET|PASSWORD|PASSPHRASE|_KEY$/i;
const SHORTEST_SECRET = 4;

/** Removes home folders, email addresses, names and passwords in URLs, and everything that looks like a key. */
export function withoutPersons(text: string, { variables, homeDir }: Environment): string {
  const secrets = Object.entries(variables)
    .filter(([name, value]) => SECRET_NAME.test(name) && (value?.length ?? 0) >= SHORTEST_SECRET)
    .map(([, value = '']) => value);
  let clean = secrets.reduce((rest, secret) => rest.replaceAll(secret, '(secret)'), text);
  if (homeDir.length > 1) clean = clean.replaceAll(homeDir, '~');
  return clean
    .replace(/(?:\/home\/|\/Users\/|\b[A-Z]:\\Users\\)[^/\\\s"'`,;)]+/gi, '~')
    .replace(/:\/\/[^/\s@]*@/g, '://')
    .replace(/[^\s"'`<>(),;:]+@[^\s"'`<>(),;:]+/g, '(email)')
    .replace(/(https?:\/\/[^\s"'`?#]*)[?#][^\s"'`]*/g, '$1')
    .replace(/[\w+=-]{24,}/g, (long) => (VARIABLE_NAME.test(long) ? long : '(key)'));
}

// Reads a secret from the environment: from ESIGN_X, or the file that ESIGN_X_FILE names. Errors never contain its value.
import { readNamedFile, whyUnread } from '../files/read-file.ts';
import { ConfigError, type Variables, variable } from './environment.ts';

/** No token is longer. */
const LONGEST_BYTES = 64 * 1024;

/** Reads a token. @throws ConfigError when the file cannot be read, or its content is not a token */
export async function secretVariable(variables: Variables, name: string): Promise<string | undefined> {
  const value = variable(variables, name);
  if (value !== undefined) return secretIn(value, name);
  const file = variable(variables, `${name}_FILE`);
  return file === undefined ? undefined : secretIn(await secretFile(file, `${name}_FILE`), `${name}_FILE`);
}

/** Reads a file as text. @param name what the file was given as, for the error */
export const secretFile = async (path: string, name: string): Promise<string> =>
  new TextDecoder().decode(await secretBytes(path, name));

/** Reads a file. @param name what the file was given as, for the error */
export async function secretBytes(path: string, name: string): Promise<Uint8Array> {
  try {
    return await readNamedFile(path, { mostBytes: LONGEST_BYTES });
  } catch (error) {
    throw new ConfigError(
      'secret_unreadable',
      `The file "${path}" (${name}) cannot be read (${whyUnread(error)}).`,
      'Check the path and the permissions of the file.',
    );
  }
}

/** @param name what it was given as, for the error */
export function secretIn(text: string, name: string): string {
  const secret = text.replace(/\r?\n$/, '');
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new ConfigError(
    'variable_invalid',
    secret === '' ? `${name} is empty.` : `${name} contains a character that is not allowed in a token.`,
    'Remove line ends and spaces from it.',
  );
}

/**
 * Reads a password from a variable, from a file that another variable names, or from a file that a setting names. Unlike a
 * token it may contain spaces; the last line end does not belong to it.
 * @param variableName `ESIGN_SMTP_PASSWORD`; the file is in `ESIGN_SMTP_PASSWORD_FILE`
 * @param setting its name and its value
 * @throws ConfigError when the file cannot be read
 */
export async function passwordIn(
  variables: Variables,
  variableName: string,
  setting: { name: string; file: string | undefined },
): Promise<string | undefined> {
  const value = variable(variables, variableName);
  if (value !== undefined) return value;
  const named = variable(variables, `${variableName}_FILE`);
  const file = named ?? setting.file;
  if (file === undefined) return undefined;
  const name = named === undefined ? setting.name : `${variableName}_FILE`;
  return (await secretFile(file, name)).replace(/\r?\n$/, '');
}

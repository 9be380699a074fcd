// What the sandbox seals with, from the profile and the environment: paths as they stand there, and the password itself.
import { type Variables, variable } from './environment.ts';
import { secretFile } from './secret-variable.ts';

const PASSWORD = 'ESIGN_SEALING_PASSWORD';

/** @throws ConfigError when a file of a password cannot be read */
export async function sealingOf(
  { password_file, ...stored }: Readonly<Record<string, string>>,
  variables: Variables,
): Promise<Record<string, string>> {
  if (Object.keys(stored).length === 0) return stored;
  const password = await passwordOf(password_file, variables);
  return { ...stored, ...(password !== undefined && { password }) };
}

/** Unlike a token it may have spaces in it; a line end behind it is none of it. */
async function passwordOf(stored: string | undefined, variables: Variables): Promise<string | undefined> {
  const given = variable(variables, PASSWORD);
  if (given !== undefined) return given;
  const named = variable(variables, `${PASSWORD}_FILE`);
  const file = named ?? stored;
  if (file === undefined) return undefined;
  const name = named === undefined ? 'sealing.password_file' : `${PASSWORD}_FILE`;
  return (await secretFile(file, name)).replace(/\r?\n$/, '');
}

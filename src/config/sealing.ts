// Reads the key and certificates that the sandbox seals with from the profile and the environment: the paths unchanged, and the
// password itself.
import type { Variables } from './environment.ts';
import { passwordIn } from './secret-variable.ts';

const PASSWORD = 'ESIGN_SEALING_PASSWORD';

/** Reads the settings. @throws ConfigError when a file of a password cannot be read */
export async function sealingOf(
  { password_file, ...stored }: Readonly<Record<string, string>>,
  variables: Variables,
): Promise<Record<string, string>> {
  if (Object.keys(stored).length === 0) return stored;
  const password = await passwordIn(variables, PASSWORD, {
    name: 'sealing.password_file',
    file: password_file,
  });
  return { ...stored, ...(password !== undefined && { password }) };
}

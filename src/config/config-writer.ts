// Writes the file of profiles. It is not loaded for reading, because conf loads a schema compiler.
import { basename, dirname } from 'node:path';
import Conf from 'conf';
import { mustTrust } from '../files/trust.ts';
import { ConfigError } from './environment.ts';

/**
 * Replaces the file atomically. Unknown properties stay.
 * Two calls at the same moment would lose a change, so the caller must hold a lock.
 * @throws ConfigError when it cannot be written
 */
export function changeConfigFile(file: string, change: (held: Record<string, unknown>) => void): void {
  mustTrust(dirname(file));
  try {
    const conf = new Conf<Record<string, unknown>>({
      cwd: dirname(file),
      configName: basename(file, '.json'),
      projectSuffix: '',
      configFileMode: 0o600,
      // Ids of operations have dots in them.
      accessPropertiesByDotNotation: false,
    });
    const held = conf.store;
    change(held);
    conf.store = held;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new ConfigError(
      'config_unwritable',
      `The configuration file ${file} cannot be written.`,
      'Check the permissions of its directory.',
    );
  }
}

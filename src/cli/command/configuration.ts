// Reads and changes the file of profiles for commands.

import { readConfigFile, type StoredConfig } from '../../config/config-file.ts';
import { changeConfigFile } from '../../config/config-writer.ts';
import type { Environment, Paths } from '../../config/environment.ts';
import { type ProfileInUse, profileInUse } from '../../config/profile.ts';
import type { History } from '../../history/history.ts';
import { fileMask } from '../process/edges.ts';
import type { Settings } from './settings.ts';

export type Configuration = {
  file: string;
  read(): Promise<StoredConfig>;
  profileInUse(stored: StoredConfig): ProfileInUse;
  /** Reads the file, lets `change` alter what it contains, and writes it; no other process does so meanwhile. */
  change(change: (held: Record<string, unknown>) => void): Promise<void>;
};

export type ConfigurationParts = { paths: Paths; settings: Settings; environment: Environment };

export function createConfiguration(
  { paths, settings, environment }: ConfigurationParts,
  history: () => Promise<History>,
): Configuration {
  return {
    file: paths.configFile,
    read: () => readConfigFile(paths.configFile),
    profileInUse: (stored) => profileInUse(settings, environment.variables, stored),
    async change(change) {
      fileMask();
      const { withLock } = await history();
      await withLock(() => changeConfigFile(paths.configFile, change));
    },
  };
}

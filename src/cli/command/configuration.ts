// Reads and changes the file of profiles for commands. The history lends its lock for changes: the system releases it when a process dies.

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
  /** Reads the file, lets `alter` change its content, and writes it; no other process does so meanwhile. */
  change(alter: (content: Record<string, unknown>) => void): Promise<void>;
};

export function createConfiguration(
  { paths, settings, environment }: { paths: Paths; settings: Settings; environment: Environment },
  openHistory: () => Promise<History>,
): Configuration {
  return {
    file: paths.configFile,
    read: () => readConfigFile(paths.configFile),
    profileInUse: (stored) => profileInUse(settings, environment.variables, stored),
    async change(alter) {
      fileMask();
      const { withLock } = await openHistory();
      await withLock(() => changeConfigFile(paths.configFile, alter));
    },
  };
}

// Makes a newer version of the program: a copy of the built one that has another migration.
import { copyFile, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export type NewerVersion = {
  /** Its launcher. */
  program: string;
  close(): Promise<void>;
};

/** The end of the list of migrations in a bundle, before the function that chooses among them. */
const END_OF_MIGRATIONS = /\}\](?=,\w+=\w+=>\w+\.filter\(\(\{only[:=])/g;

/**
 * @param up the text of a function that gets a Kysely instance
 * @param isAdditive whether the migration says that older versions may go on reading
 */
export async function makeNewerVersion({
  name,
  up,
  isAdditive,
}: {
  name: string;
  up: string;
  isAdditive: boolean;
}): Promise<NewerVersion> {
  const folder = await temporaryFolder();
  const dist = join(folder, 'dist');
  await mkdir(dist);
  await Promise.all([
    ...['bin', 'fonts'].map((part) => cp(join(ROOT, part), join(folder, part), { recursive: true })),
    copyFile(join(ROOT, 'package.json'), join(folder, 'package.json')),
    symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules')),
  ]);
  const migration = `,{name:${JSON.stringify(name)},isAdditive:${isAdditive},load:async()=>${up}}]`;
  let changed = 0;
  for (const file of await readdir(join(ROOT, 'dist'))) {
    const text = await readFile(join(ROOT, 'dist', file), 'latin1');
    const newer = text.replace(END_OF_MIGRATIONS, `}${migration}`);
    if (newer !== text) changed += 1;
    await writeFile(join(dist, file), newer, 'latin1');
  }
  if (changed === 0) throw new Error('The list of migrations is in no bundle.');
  return {
    program: join(folder, 'bin', 'esign.js'),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

// Finds the fixtures of what a version stores (`record-format.js`), which are named `VERSION-MIGRATION.txt`.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** @returns their paths: one, or none where the version is not recorded */
export function findFormats(root, version) {
  const folder = formatsFolder(root);
  if (!existsSync(folder)) return [];
  const fixture = new RegExp(`^${version.replaceAll('.', '\\.')}-\\d{4}-.*\\.txt$`);
  return readdirSync(folder)
    .filter((name) => fixture.test(name))
    .map((name) => join(folder, name));
}

export const formatsFolder = (root) => join(root, 'test/fixtures/formats');

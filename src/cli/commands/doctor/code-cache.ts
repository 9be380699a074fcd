// Checks the cache of compiled code for `esign doctor`. The program works without the cache, so the check never fails.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Variables, variable } from '../../../config/environment.ts';
import { distrustOf, UntrustedError } from '../../../files/trust.ts';
import { type Finding, passed, skipped, warning } from '../../checks/check.ts';

export async function checkCodeCache(folder: string, variables: Variables): Promise<Finding> {
  if (variable(variables, 'ESIGN_NO_CODE_CACHE') !== undefined)
    return skipped('The compiled code cache is off (ESIGN_NO_CODE_CACHE).');
  const distrust = distrustOf(folder);
  if (distrust) {
    const { message } = new UntrustedError('directory', folder, distrust);
    return warning(`The compiled code cache is off. ${message}`, distrust.hint);
  }
  const sizes = await sizesIn(folder);
  if (sizes.length === 0) return passed(`The compiled code cache in ${folder} is empty.`);
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024;
  const files = sizes.length === 1 ? '1 file' : `${sizes.length} files`;
  return passed(`The compiled code cache is in ${folder} (${files}, ${megabytes.toFixed(1)} MB).`);
}

async function sizesIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const sizes = await Promise.all(
    names
      .filter((name) => name.endsWith('.bin'))
      .map((name) =>
        stat(join(folder, name)).then(
          ({ size }) => size,
          () => undefined,
        ),
      ),
  );
  return sizes.filter((size) => size !== undefined);
}

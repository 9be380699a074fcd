// Writes dist/THIRD-PARTY-NOTICES.txt: every package whose code is in the bundles, with its license. A package
// under a license that is not in the list fails the build.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Licenses of packages that may be bundled. */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Zlib',
]);

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** @returns esbuild's `build`, and the paths of all its input files, relative to the root */
export function recordInputs(build) {
  const inputs = new Set();
  return {
    inputs,
    async build(options) {
      const built = await build({ ...options, metafile: true });
      for (const path of Object.keys(built.metafile.inputs)) inputs.add(path);
      return built;
    },
  };
}

/** @returns the text of the file */
export async function noticesOf(inputs, root) {
  const packages = await Promise.all(packagesOf(inputs).map((folder) => packageIn(join(root, folder))));
  const byName = new Map(packages.map((one) => [`${one.name} ${one.version}`, one]));
  const parts = [...byName.values()].map(textOf);
  return [
    'These packages are a part of the files in this folder. The fonts in fonts/ have their licences beside them.\n',
    ...parts,
  ].join(`\n${'-'.repeat(80)}\n\n`);
}

/** @returns the folders of packages that the paths are in */
export function packagesOf(paths) {
  const folders = [...paths].flatMap(
    (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

/** @returns the notice of one package */
export const noticeOf = async (folder) => textOf(await packageIn(folder));

const textOf = ({ name, version, licence, text }) => `${name} ${version}\n${licence}\n\n${text.trim()}\n`;

export async function packageIn(folder) {
  const described = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const licence = licenceOf(described);
  if (!licence.split(/ OR | AND /).some((name) => ALLOWED.has(name.replaceAll(/[()]/g, ''))))
    throw new Error(`${described.name} has the licence ${licence}: may it be bundled? (scripts/licenses.js)`);
  const names = (await readdir(folder)).filter((name) => LICENCE_FILE.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return {
    name: described.name,
    version: described.version,
    licence,
    text: texts.join('\n').replaceAll('\r\n', '\n') || ownersOf(described),
  };
}

const licenceOf = ({ license, licenses }) =>
  (typeof license === 'string' ? license : license?.type) ??
  licenses?.map(({ type }) => type).join(' OR ') ??
  'none';

/** The copyright line of a package that has no file with its license. */
function ownersOf({ author, homepage, repository }) {
  const owner = typeof author === 'string' ? author : author?.name;
  const address = homepage ?? (typeof repository === 'string' ? repository : repository?.url);
  return [owner && `Copyright ${owner}`, address].filter(Boolean).join('\n');
}

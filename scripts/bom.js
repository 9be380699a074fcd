// Writes the list of everything that esign consists of, as CycloneDX 1.6 (bom.json): the packages in the bundles, those that are
// installed beside them, and for executables Node. Generators that read package.json would list the tools of development as well,
// because bundled packages are development dependencies (decision 0032).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageIn, packagesOf } from './licenses.js';

/** @param inputs paths of all files that were bundled @returns the text of the file */
export async function bomOf(inputs, root) {
  const described = readJson(root, 'package.json');
  const { packages: locked } = readJson(root, 'package-lock.json');
  const beside = Object.keys({ ...described.dependencies, ...described.optionalDependencies });
  const installed = beside
    .map((name) => `node_modules/${name}`)
    .filter((path) => existsSync(join(root, path)));
  const components = new Map();
  for (const path of [...packagesOf(inputs), ...installed]) {
    const component = await componentOf(path, root, locked);
    components.set(component.purl, component);
  }
  const purl = purlOf(described.name, described.version);
  return textOf(
    {
      type: 'application',
      'bom-ref': purl,
      ...nameOf(described.name),
      version: described.version,
      purl,
      licenses: licensesOf(described.license),
    },
    [...components.values()],
  );
}

/** Adds what executables have besides. @param text of `bomOf` @param folders of packages, relative to the root */
export async function withNode(text, nodeVersion, folders, root) {
  const { metadata, components } = JSON.parse(text);
  const { packages: locked } = readJson(root, 'package-lock.json');
  const purl = `pkg:generic/node@${nodeVersion}`;
  const node = {
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version: nodeVersion,
    purl,
    licenses: licensesOf('MIT'),
    description: 'Node.js with what it consists of: V8, OpenSSL, SQLite and others, listed in its license',
  };
  const natives = await Promise.all(folders.map((path) => componentOf(path, root, locked)));
  return textOf(metadata.component, [...components, ...natives, node]);
}

/** The same content gives the same text: no time, and a number made of the content. */
function textOf(component, unsorted) {
  const components = unsorted.sort((left, right) => (left.purl < right.purl ? -1 : 1));
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component },
    components,
    dependencies: [
      { ref: component['bom-ref'], dependsOn: components.map((entry) => entry['bom-ref']) },
      ...components.map((entry) => ({ ref: entry['bom-ref'] })),
    ],
  };
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

async function componentOf(path, root, locked) {
  const { integrity } = locked[path] ?? {};
  const described =
    locked[path]?.version && !existsSync(join(root, path))
      ? lockedAs(path, locked)
      : await packageIn(join(root, path));
  const { name, version, licence } = described;
  const purl = purlOf(name, version);
  const [, hash] = /^sha512-(.+)$/.exec(integrity ?? '') ?? [];
  return {
    type: 'library',
    'bom-ref': purl,
    ...nameOf(name),
    version,
    purl,
    licenses: licensesOf(licence),
    ...(hash && { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
  };
}

/** A package for another system is described by the lock file alone. */
const lockedAs = (path, locked) => ({
  name: path.replace(/^.*node_modules\//, ''),
  version: locked[path].version,
  licence: locked[path].license,
});

/** `@esign-cli/esign` is the name `esign` in the group `@esign-cli`. */
function nameOf(full) {
  const [group, name] = full.startsWith('@') ? full.split('/') : [undefined, full];
  return { ...(group && { group }), name };
}

const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const licensesOf = (licence) =>
  / OR | AND /.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];

const readJson = (root, path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

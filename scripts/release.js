// Creates the tag of a release, after checking that the release is complete. Changes no file and pushes
// nothing; the workflow `publish` does the rest when the tag is pushed.
//   npm run release -- --dry-run          only checks
//   npm run release                       checks, and creates the tag
//   npm run release -- --check-tag v1.2.0 checks that the tag is that of this version
//   npm run release -- --executables --nodes DIR --out DIR [--only linux-x64,…]
//                                         makes executables, without a tag (scripts/executables.js)
//   npm run release -- --archives --out DIR
//                                         packs them, and writes what is published beside them
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFormats } from './find-formats.js';
import { loadSource } from './load-source.js';
import { findOtherVersions } from './skill-versions.js';

const [given, inFolder, tagGiven] = ['--dry-run', '--in', '--check-tag'].map((name) =>
  process.argv.indexOf(name),
);
/** The checkout: this one, or another folder that has the same files. */
const root =
  inFolder < 0 ? fileURLToPath(new URL('..', import.meta.url)) : resolve(process.argv[inFolder + 1]);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const tag = `v${version}`;

const isOfFiles = ['--executables', '--archives'].some((name) => process.argv.includes(name));
if (isOfFiles) await (await import('./executables.js')).runOptions(process.argv.slice(2));
else await makeTag();

async function makeTag() {
  const missing = tagGiven < 0 ? await findMissing() : ofAnotherTag(process.argv[tagGiven + 1]);
  for (const line of missing) process.stderr.write(`- ${line}\n`);
  if (missing.length > 0) {
    process.stderr.write(`${version} cannot be released yet.\n`);
    process.exitCode = 1;
  } else if (tagGiven >= 0) {
    process.stdout.write(`${tag} is the tag of this version.\n`);
  } else if (given >= 0) {
    process.stdout.write(`${version} can be released: \`npm run release\` makes the tag ${tag}.\n`);
  } else if (git('tag', '--annotate', tag, '--message', version).status !== 0) {
    process.stderr.write(`git did not make the tag ${tag}.\n`);
    process.exitCode = 1;
  } else {
    process.stdout.write(`Made the tag ${tag}. To publish it: git push origin ${tag}\n`);
  }
}

function ofAnotherTag(name) {
  return name === tag ? [] : [`The tag is ${name}, package.json says ${version}.`];
}

async function findMissing() {
  const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const section = new RegExp(
    `^## ${version.replaceAll('.', '\\.')} \\((\\d{4}-\\d\\d-\\d\\d)\\)\\n+(?!## )\\S`,
    'm',
  ).exec(changes);
  const { RELEASED } = await loadSource('src/cli/describe/man.ts');
  const status = git('status', '--porcelain');
  const found = [
    !/^\d+\.\d+\.\d+(?:-[0-9a-z.]+)?$/.test(version) && `The version ${version} is none.`,
    (status.status !== 0 || status.stdout !== '') && 'The checkout has changes that are not committed.',
    !section && `CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)" with something in it.`,
    RELEASED[version] === undefined && `src/cli/describe/man.ts does not say when ${version} was released.`,
    section &&
      RELEASED[version] &&
      section[1] !== RELEASED[version] &&
      `CHANGELOG.md says ${section[1]}, src/cli/describe/man.ts says ${RELEASED[version]}.`,
    findFormats(root, version).length === 0 &&
      `The format of ${version} is not recorded: node scripts/record-format.js`,
    ...findOtherVersions(root, version).map((file) => `${file} has another version: npm run generate`),
    git('rev-parse', '--verify', '--quiet', `refs/tags/${tag}`).status === 0 &&
      `The tag ${tag} is there already.`,
  ];
  return found.filter(Boolean);
}

function git(...words) {
  return spawnSync('git', words, { cwd: root, encoding: 'utf8' });
}

// Writes what is made from the code: the list of commands, docs/commands.md, the exit codes in the README, the settings in docs/self-hosting.md, choices and extensions in docs/service.md,
// docs/openapi.json, docs/seed.schema.json, the name of the packed package in docs/client.md, the types and operations of the published client, docs/public-api.txt, docs/architecture.svg, the man pages and their list in package.json, the references and the version of the skill, llms.txt, and the completion scripts. With --check it only
// compares, and fails when a file is not up to date.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandList } from './command-list.js';
import { PUBLISHED_TYPES, readSurface } from './declarations.js';
import { architectureDrawing } from './draw-architecture.js';
import { llmsIndex } from './llms.js';
import { loadSource } from './load-source.js';
import { SKILL_VERSIONS, VERSION_LINE } from './skill-versions.js';

const given = process.argv.indexOf('--in');
/** The root of the files: this checkout, or another folder with the same files. */
const root = given < 0 ? fileURLToPath(new URL('..', import.meta.url)) : resolve(process.argv[given + 1]);
const isCheck = process.argv.includes('--check');

const EXIT_CODES = { start: '<!-- exit-codes:start -->', end: '<!-- exit-codes:end -->' };
const CHOICES = { start: '<!-- choices:start -->', end: '<!-- choices:end -->' };
const EXTENSIONS = { start: '<!-- extensions:start -->', end: '<!-- extensions:end -->' };

const SETTINGS = { start: '<!-- settings:start -->', end: '<!-- settings:end -->' };

const REFERENCES = { start: '<!-- references:start -->', end: '<!-- references:end -->' };

const stale = [];
await put('src/cli/command-list.ts', await commandList(fileURLToPath(new URL('..', import.meta.url))));
const { TREE } = await loadSource('src/cli/tree.ts');
const { choiceTable, commandsPage, exitCodeTable, extensionTables, serveSettingTable } = await loadSource(
  'src/cli/describe/markdown.ts',
);
await put('docs/commands.md', await commandsPage(TREE));
await put('docs/architecture.svg', await architectureDrawing(fileURLToPath(new URL('..', import.meta.url))));
await replaceBetween('README.md', EXIT_CODES, exitCodeTable());
await replaceBetween('docs/self-hosting.md', SETTINGS, serveSettingTable());
await replaceBetween('docs/service.md', CHOICES, choiceTable());
const { openApiDocument } = await loadSource('src/api/contract/openapi/document.ts');
await replaceBetween('docs/service.md', EXTENSIONS, extensionTables(openApiDocument('/')));
await putPackageName('docs/client.md');
await put('docs/openapi.json', `${JSON.stringify(openApiDocument('/'), null, 2)}\n`);
const { seedJsonSchema } = await loadSource('src/cli/seeding/read-seed.ts');
await put('docs/seed.schema.json', `${JSON.stringify(seedJsonSchema(), null, 2)}\n`);
const { clientSource } = await loadSource('scripts/client-source.js');

for (const [path, text] of Object.entries(clientSource())) await put(path, text);
await put('docs/public-api.txt', await publicSurface());
const { manPages, RELEASED } = await loadSource('src/cli/describe/man.ts');
const pages = await manPages(TREE, await edition(RELEASED));
await putFolder('man', pages);
await putManList([...pages.keys()]);
const { references } = await loadSource('src/cli/describe/references.ts');
const referencePages = await references(TREE);
await putFolder(
  'skills/esign/references',
  new Map(referencePages.map(({ name, markdown }) => [`${name}.md`, markdown])),
);
await replaceBetween('skills/esign/SKILL.md', EXIT_CODES, exitCodeTable());
await replaceBetween(
  'skills/esign/SKILL.md',
  REFERENCES,
  referencePages.map(({ name, summary }) => `- [${name}](references/${name}.md): ${summary}`).join('\n'),
);
for (const file of SKILL_VERSIONS) await putVersion(file);
await put('llms.txt', await llmsIndex(root, referencePages));
const { COMPLETION_FILES } = await loadSource('src/cli/shell-completion/scripts.ts');
await putFolder('completions', new Map(Object.entries(COMPLETION_FILES)));
if (stale.length > 0) {
  process.stderr.write(
    `Not what the code says: ${stale.join(', ')}. Run \`npm run generate\` and commit the result.\n`,
  );
  process.exitCode = 1;
}

async function replaceBetween(file, { start, end }, content) {
  const text = await readFile(join(root, file), 'utf8').catch(() => '');
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) {
    stale.push(`${file} (it has no ${start} … ${end})`);
    return;
  }
  await put(file, `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`);
}

/** What programs may import, entry by entry, so that every change of it is seen in a review. */
async function publicSurface() {
  const checkout = fileURLToPath(new URL('..', import.meta.url));
  const entries = { '@esign-cli/esign': 'index', '@esign-cli/esign/service': 'service' };
  const parts = ['Everything that programs can import. Written by `npm run generate`. Do not edit.\n'];
  for (const [entry, name] of Object.entries(entries)) {
    const sources = PUBLISHED_TYPES[name].map((path) => join(checkout, path));
    parts.push(`==== ${entry} ====\n\n${await readSurface(sources)}`);
  }
  return parts.join('\n');
}

/** Writes the files of a folder, and removes others, which belong to removed commands. */
async function putFolder(folder, files) {
  for (const name of await readdir(join(root, folder)).catch(() => [])) {
    if (files.has(name)) continue;
    if (isCheck) stale.push(`${folder}/${name} (nothing makes it any more)`);
    else await rm(join(root, folder, name));
  }
  for (const [name, content] of files) await put(`${folder}/${name}`, content);
}

/** `npm pack` puts the version into the name of its file, which readers install. */
async function putPackageName(file) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const text = await readFile(join(root, file), 'utf8');
  await put(file, text.replace(/(?<=esign-cli-esign-)[^"/]+(?=\.tgz)/g, version));
}

/** The skill and the plugins that contain it have the version of the program. */
async function putVersion(file) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const text = await readFile(join(root, file), 'utf8');
  await put(file, text.replace(VERSION_LINE, `$1${version}`));
}

/** npm puts the pages where `man` finds them when package.json lists them. */
async function putManList(names) {
  const text = await readFile(join(root, 'package.json'), 'utf8');
  const described = JSON.parse(text);
  const man = names.sort().map((name) => `./man/${name}`);
  if (JSON.stringify(described.man) === JSON.stringify(man)) return;
  await put('package.json', `${JSON.stringify({ ...described, man }, null, 2)}\n`);
}

/** The date of a version is part of the source, so that the same source makes the same pages. */
async function edition(released) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const epoch = isCheck ? undefined : process.env.SOURCE_DATE_EPOCH;
  const date = epoch ? new Date(Number(epoch) * 1000).toISOString().slice(0, 10) : released[version];
  if (!date) throw new Error(`Write down in src/cli/describe/man.ts when ${version} was released.`);
  return { version, date };
}

async function put(file, content) {
  const path = join(root, file);
  const now = await readFile(path, 'utf8').catch(() => undefined);
  if (now === content) return;
  if (isCheck) stale.push(file);
  else {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

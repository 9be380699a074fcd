// Writes the documentation for programs that read it: llms.txt (llmstxt.org) lists every page with a sentence, and
// llms-full.txt has all of them. `npm run generate` writes the first; the second is made for a release:
//   node scripts/llms.js FILE
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSource } from './load-source.js';

const root = fileURLToPath(new URL('..', import.meta.url));

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFull(process.argv[2]);

/** @param folder where README.md and docs/ are */
export async function llmsIndex(folder, references) {
  const pages = await documentationPages(folder);
  const { description } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const command = ({ kind }) => kind === 'command';
  const listed = references.map((reference) => ({ ...reference, path: referencePath(reference) }));
  return `${[
    '# esign',
    `> ${description}.`,
    'Without any configuration, every command works in the sandbox. It takes `--json`, and ends with an exit code that says what happened. `esign help COMMAND --format md` prints each page below "Commands" and "Topics" for the version that is installed.',
    section(
      'Documentation',
      pages.map(({ path, title, sentence }) => [title, path, sentence]),
    ),
    section('For assistants', [
      [
        'Skill',
        'skills/esign/SKILL.md',
        'The commonest jobs with their exact calls, and the rules for secrets and real people.',
      ],
    ]),
    section(
      'Commands',
      listed.filter(command).map(({ name, path, summary }) => [`esign ${name}`, path, `${summary}.`]),
    ),
    section(
      'Topics',
      listed
        .filter((reference) => !command(reference))
        .map(({ name, path, summary }) => [name, path, `${summary}.`]),
    ),
    section('For programs', [
      ['OpenAPI', 'docs/openapi.json', 'The API of the service.'],
      ['Seeds', 'docs/seed.schema.json', 'The JSON Schema of a seed for the sandbox.'],
    ]),
  ].join('\n\n')}\n`;
}

const section = (title, links) =>
  [`## ${title}`, '', ...links.map(([name, path, sentence]) => `- [${name}](${path}): ${sentence}`)].join(
    '\n',
  );

export const referencePath = ({ name }) => `skills/esign/references/${name}.md`;

/** Puts every page into one: the documentation, then the help of every command and topic. */
export async function llmsFull(folder, references, oneLevelDown) {
  const pages = (await documentationPages(folder)).map(({ path, markdown }) => linksFromRoot(markdown, path));
  const all = [...pages, ...references.map(({ markdown }) => markdown)];
  return `# esign: all documentation\n\n${all.map((markdown) => oneLevelDown(markdown).trim()).join('\n\n')}\n`;
}

async function documentationPages(folder) {
  const names = (await readdir(join(folder, 'docs'))).filter((name) => name.endsWith('.md')).sort();
  return Promise.all(
    ['README.md', ...names.map((name) => `docs/${name}`)].map(async (path) => {
      const markdown = await readFile(join(folder, path), 'utf8');
      return { path, markdown, title: titleOf(markdown), sentence: sentenceOf(markdown) };
    }),
  );
}

function titleOf(markdown) {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? '';
}

/** Takes the first sentence below the title, without its links. */
function sentenceOf(markdown) {
  const [, , paragraph = ''] = /^# .+\n+((?:<!--.*-->\n+)?)((?:.+\n)+)/m.exec(markdown) ?? [];
  const text = paragraph
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .trim();
  return /^.*?[.](?= |$)/.exec(text)?.[0] ?? text;
}

/** Pages of docs/ link to each other by their names. */
function linksFromRoot(markdown, path) {
  return markdown.replaceAll(
    /\]\((?!https?:|#|mailto:)([^)\s]+)\)/g,
    (_, to) => `](${posix.join(posix.dirname(path), to)})`,
  );
}

async function writeFull(file) {
  if (file === undefined) {
    process.stderr.write('Name the file to write: node scripts/llms.js llms-full.txt\n');
    process.exitCode = 2;
    return;
  }
  const { TREE } = await loadSource('src/cli/tree.ts');
  const { oneLevelDown, references } = await loadSource('src/cli/describe/references.ts');
  await writeFile(file, await llmsFull(root, await references(TREE), oneLevelDown));
}

// The files that state the version of the skill, which is that of the program.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const SKILL_VERSIONS = [
  'skills/esign/SKILL.md',
  '.claude-plugin/plugin.json',
  '.claude-plugin/marketplace.json',
  '.codex-plugin/plugin.json',
  '.cursor-plugin/plugin.json',
];

/** In front matter and in JSON. */
export const VERSION_LINE = /^( *"?version"?: ")[^"]*(?=",?$)/m;

/** Lists the files that state another version. */
export const findOtherVersions = (root, version) =>
  SKILL_VERSIONS.filter((file) => !textOf(join(root, file)).match(VERSION_LINE)?.[0].endsWith(`"${version}`));

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

// Real shells with the real program: a folder with things to complete, the queries that are asked in it, and lines typed
// at a terminal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appendEntries, type SeenItem, seenFileOf } from '../../src/cli/recent/store.ts';
import { createStoryFixture, type StoryFixture } from '../support/stories/story.ts';

export const SCRIPTS = fileURLToPath(new URL('../../completions', import.meta.url));

/** What must never run, break a line, or reach a terminal. */
export const HOSTILE = [
  '$(touch PWNED)',
  '`touch PWNED`',
  ';touch PWNED',
  'a>PWNED',
  '|touch PWNED',
  "it's",
  'say "hi"',
  'two  words',
  '*',
  '~',
  '~root',
  '$HOME',
  '{a,b}',
  '!!',
  '#c',
  'back\\slash',
  'a=b:c@d',
  'grün–é',
];

/** Nothing that holds these can stand on a line as it is. */
export const UNSPEAKABLE = ['line\nend', 'a\ttab', '\u001b[31mred', '\u202eright', '-rf', ''];

export const seen = (id: string, more: Partial<SeenItem> = {}): SeenItem => ({
  kind: 'transaction',
  id,
  service: 'sandbox',
  atMs: 1,
  name: 'Agreement',
  outcome: 'started',
  ...more,
});

/** A folder whose sandbox has been seen to hold these. */
export async function openFixtureWith(entries: readonly SeenItem[]): Promise<StoryFixture> {
  const fixture = await createStoryFixture();
  await appendEntries(seenFileOf(join(fixture.folder, '.esign', 'data', 'seen'), 'sandbox'), entries);
  await writeFile(join(fixture.folder, 'my file.pdf'), '');
  await mkdir(join(fixture.folder, 'my folder'));
  return fixture;
}

/** One with everything that must never run, a transaction that is harmless, and a profile. */
export async function openHostileFixture(): Promise<StoryFixture> {
  const named = [...HOSTILE, ...UNSPEAKABLE].map((id) => seen(id, { name: id }));
  const fixture = await openFixtureWith([...named, seen('tx-1', { people: ['ada@example.com'] })]);
  await keepProfiles(fixture, { acme: { base_url: 'https://api.acme.example' } });
  return fixture;
}

export async function keepProfiles(fixture: StoryFixture, profiles: Record<string, object>): Promise<void> {
  const file = join(fixture.folder, '.esign', 'config', 'config.json');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ profiles }));
}

/** Whether something that was only named was run. */
export const wasRun = async ({ folder }: StoryFixture): Promise<boolean> =>
  (await readdir(folder)).includes('PWNED');

type Said = { out: string; err: string; code: number | null };

export async function runShell(
  { folder, env }: StoryFixture,
  [program = '', ...words]: readonly string[],
  more: Record<string, string | undefined> = {},
): Promise<Said> {
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Said = { out: '', err: '', code: null };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  [said.code] = (await once(child, 'close')) as [number | null];
  return said;
}

/** Between queries, and between the answers to one. */
const RECORD = '\u001e';
const UNIT = '\u001f';

/** @param program asks each of its arguments and prints the answers, each ended by UNIT, each query ended by RECORD */
export async function askAll(
  fixture: StoryFixture,
  program: readonly string[],
  queries: readonly string[],
  env: Record<string, string | undefined> = {},
): Promise<string[][]> {
  const { out, err } = await runShell(fixture, [...program, ...queries], env);
  if (err !== '') throw new Error(`stderr: ${err}`);
  return out
    .split(RECORD)
    .slice(0, -1)
    .map((part) => part.split(UNIT).slice(0, -1));
}

const BASH_ASKS = `set -eu
. "$SCRIPTS/esign.bash"
COMP_WORDBREAKS=\${BREAKS-$COMP_WORDBREAKS}
for COMP_LINE in "$@"; do
  COMP_POINT=\${#COMP_LINE}
  _esign_complete
  [ \${#COMPREPLY[@]} -eq 0 ] || printf '%s\\x1f' "\${COMPREPLY[@]}"
  printf '\\x1e'
done`;

/** @param lines as they stand in the shell up to the cursor */
export const askBash = (fixture: StoryFixture, lines: readonly string[], env: Record<string, string> = {}) =>
  askAll(fixture, ['bash', '--norc', '--noprofile', '-c', BASH_ASKS, 'bash'], lines, { SCRIPTS, ...env });

const ZSH_ASKS = `setopt nounset
compset() { PREFIX=\${PREFIX#*=} }
_files() { printf 'files %s\\x1f' "$*" }
compadd() { printf '%s\\x1f' "\${(@P)@[-1]}" }
compdef() { : }
source "$SCRIPTS/_esign"
for line in "$@"; do
  words=("\${(@f)line}")
  CURRENT=\${#words}
  PREFIX=\${words[-1]}
  _esign || :
  printf '\\x1e'
done`;

/** @param lines words as they were typed, the program first */
export const askZsh = (fixture: StoryFixture, lines: readonly (readonly string[])[]) =>
  askAll(
    fixture,
    ['zsh', '-f', '-c', ZSH_ASKS, 'zsh'],
    lines.map((words) => words.join('\n')),
    { SCRIPTS },
  );

const FISH_ASKS = `source $SCRIPTS/esign.fish
for line in $argv
  for answer in (complete -C $line)
    printf '%s\\x1f' (string split -f1 \\t -- $answer)
  end
  printf '\\x1e'
end`;

export const askFish = (fixture: StoryFixture, lines: readonly string[]) =>
  askAll(fixture, ['fish', '--no-config', '-c', FISH_ASKS, '--'], lines, { SCRIPTS });

/**
 * Types lines at a terminal, TAB and all. `esign` prints its words there, each in angle brackets.
 * @returns what each line came to
 */
export async function typeInto(
  fixture: StoryFixture,
  shell: 'bash' | 'zsh',
  lines: readonly string[],
  setup: readonly string[] = [],
): Promise<string[]> {
  const start = shell === 'bash' ? 'bash --norc --noprofile -i' : 'zsh -f -i';
  const child = spawn('script', ['-qec', start, '/dev/null'], {
    cwd: fixture.folder,
    env: { ...fixture.env, SCRIPTS, TERM: 'dumb', PS1: '' },
    stdio: 'pipe',
  });
  let out = '';
  let look = () => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    look();
  });
  const until = (mark: string) =>
    new Promise<void>((resolve) => {
      look = () => {
        if (out.includes(mark)) resolve();
      };
      look();
    });
  const closed = once(child, 'close');
  // A line that is never finished would wait for ever; what came by then tells which.
  const tooLong = setTimeout(() => child.kill('SIGKILL'), 20_000);
  // The echo of what is typed must not be taken for the answer.
  const print = `esign() { printf '\\nBEG''IN'; printf '<%s>' "$@"; printf 'E''ND\\n'; }`;
  child.stdin.write(`${[...setup, print, "printf 'REA''DY'"].join('\n')}\n`);
  await Promise.race([until('READY'), closed]);
  child.stdin.write(`${lines.join('\n')}\nexit\n`);
  await closed;
  clearTimeout(tooLong);
  return [...out.matchAll(/BEGIN(.*?)END/gs)].map(([, words = '']) => words);
}

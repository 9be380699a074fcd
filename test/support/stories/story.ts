// Runs stories: text files with commands and what they are expected to print, each in a temporary folder and an ESIGN_HOME
// of its own. test/stories/README.md has the grammar. ESIGN_STORY_NODE names the Node that runs the program.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FULL, SLOW } from '../tier.ts';
import { type CommandProcess, type LineResult, plainWords, takeCommandProcess } from './command-process.ts';
import { undescribedJson } from './described-json.ts';
import { unexplainedError } from './unexplained-error.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const NODE = process.env.ESIGN_STORY_NODE ?? process.execPath;

export type StoryFixture = {
  folder: string;
  env: Record<string, string>;
  /** Runs lines that need no process of their own; undefined where every line gets one. */
  commandProcess?: CommandProcess | undefined;
  close(): Promise<void>;
};

/** In the slow tier, and with another Node, every line is started in a process of its own, as a user starts it, unless the caller says otherwise. */
const IS_STARTED_ANEW = SLOW || process.env.ESIGN_STORY_NODE !== undefined;

/** @param isStartedAnew whether every line gets a process of its own */
export async function createStoryFixture(isStartedAnew = IS_STARTED_ANEW): Promise<StoryFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-story-'));
  await copyFile(join(ROOT, 'test', 'fixtures', 'contract.pdf'), join(folder, 'contract.pdf'));
  const env = {
    // The file is not written here, because a file that another process was just writing may be busy when it is run.
    PATH: `${join(ROOT, 'test', 'support', 'stories', 'bin')}:${process.env.PATH}`,
    STORY_NODE: NODE,
    HOME: folder,
    ESIGN_HOME: join(folder, '.esign'),
    ESIGN_SOFFICE: 'off',
    LANG: 'C.UTF-8',
  };
  if (!FULL && process.env.ESIGN_STORY_NODE === undefined) await shareCompiledCode(env.ESIGN_HOME);
  const commandProcess = isStartedAnew ? undefined : takeCommandProcess();
  return {
    folder,
    env,
    commandProcess,
    async close() {
      commandProcess?.release();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

const COMPILED_CODE = join(ROOT, 'node_modules', '.cache', 'esign-compiled-code');

/** Shares the compiled code of the program: otherwise the first command of each story would compile it again, a third of its time. */
async function shareCompiledCode(home: string): Promise<void> {
  await mkdir(COMPILED_CODE, { recursive: true, mode: 0o700 });
  await mkdir(join(home, 'cache'), { recursive: true, mode: 0o700 });
  await symlink(COMPILED_CODE, join(home, 'cache', 'code'), 'junction');
}

export async function runCommand(fixture: StoryFixture, command: string): Promise<LineResult> {
  const plain = fixture.commandProcess && plainWords(command, fixture.env);
  if (plain && fixture.commandProcess && !fixture.commandProcess.isBusy)
    return fixture.commandProcess.run(plain.words, fixture.folder, plain.env);
  const child = startCommand(fixture, command);
  const [code] = (await once(child.process, 'close')) as [number | null];
  return { code, ...child.said() };
}

export type StartedCommand = { process: ChildProcess; said(): { out: string; err: string } };

export function startCommand({ folder, env }: StoryFixture, command: string): StartedCommand {
  const child = spawn('sh', ['-c', command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  return { process: child, said: () => ({ ...said }) };
}

/** Whether stories of the slow tier are run: in that tier, and with another Node. */
export const isRunWhole = IS_STARTED_ANEW;

/** The title of a story, which is its first line: `# One command sends a document`. */
export function titleOf(story: string, name: string): string {
  const [, title] = /^# (\S.*)\n/.exec(story) ?? [];
  if (title === undefined) throw new Error(`${name} has no title: its first line has to be "# TITLE".`);
  return title;
}

/** Whether a story has nothing to run in the short tier: `slow-tier` is its first line after the title. */
export const isForSlowTierOnly = (story: string): boolean => /^#.*\nslow-tier\n/.test(story);

/**
 * Runs a whole story; throws with the file and the line of the first failed expectation.
 * @param isStartedAnew whether every line gets a process of its own
 */
export async function runStory(story: string, name: string, isStartedAnew?: boolean): Promise<void> {
  const fixture = await createStoryFixture(isStartedAnew);
  const runner = new StoryRunner(fixture);
  const lines = story.split('\n');
  try {
    for (let at = 0; at < lines.length; at += 1) {
      const line = (lines[at] ?? '').trim();
      if (line === '' || line.startsWith('#')) continue;
      if (line === 'slow-tier' && at === 1) continue;
      try {
        if (line.startsWith('file ')) at = await runner.writeFile(line.slice(5), lines, at);
        else await runner.take(line);
      } catch (error) {
        throw new Error(
          `${name}:${at + 1}: ${line}\n${error instanceof Error ? error.message : error}\n${runner.lastWords()}`,
        );
      }
    }
    runner.settle();
  } finally {
    await runner.end();
    await fixture.close();
  }
}

/** Runs the lines of one story; keeps its background commands and the output of the last command. */
class StoryRunner {
  private last: LineResult = { code: 0, out: '', err: '' };
  private isExitChecked = true;
  private background: StartedCommand | undefined;
  private readonly fixture: StoryFixture;

  constructor(fixture: StoryFixture) {
    this.fixture = fixture;
  }

  async take(line: string): Promise<void> {
    const [word = '', rest = ''] = splitOnce(line, ' ');
    if (word === '$' || word === 'background' || word === 'stop') this.settle();
    switch (word) {
      case '$':
        this.last = await runCommand(this.fixture, rest);
        this.isExitChecked = false;
        expect(unexplainedError(this.last.err) === undefined, unexplainedError(this.last.err) ?? '');
        if (this.last.code === 0) {
          const differences = await undescribedJson(rest, this.last.out);
          expect(differences.length === 0, `its schema says otherwise: ${differences.join(', ')}`);
        }
        return;
      case 'background':
        return this.runBackground(rest);
      case 'stop':
        return this.stop(rest as NodeJS.Signals);
      case 'exit':
        this.isExitChecked = true;
        expect(this.last.code === Number(rest), `exit code is ${this.last.code}`);
        return;
      case 'out':
      case 'err':
        return this.match(this.last[word], rest, true);
      case '!out':
      case '!err':
        return this.match(this.last[word.slice(1) as 'out' | 'err'], rest, false);
      case 'json':
      case 'errjson':
        return this.compare(word, rest);
      case 'set':
        return this.set(rest);
      case 'env':
        return this.setVariable(rest);
      default:
        throw new Error(`"${word}" is not known`);
    }
  }

  /** A command without an `exit` line must have succeeded. */
  settle(): void {
    if (!this.isExitChecked) expect(this.last.code === 0, `the command before ended with ${this.last.code}`);
    this.isExitChecked = true;
  }

  lastWords(): string {
    return `--- stdout\n${this.last.out}--- stderr\n${this.last.err}`;
  }

  async writeFile(name: string, lines: readonly string[], at: number): Promise<number> {
    const end = lines.findIndex((line, index) => index > at && line.trim() === 'end');
    expect(end > 0, 'there is no end');
    await writeFile(join(this.fixture.folder, name), `${this.filled(lines.slice(at + 1, end).join('\n'))}\n`);
    return end;
  }

  async end(): Promise<void> {
    const { background } = this;
    if (background && background.process.exitCode === null) {
      background.process.kill('SIGKILL');
      await once(background.process, 'close');
    }
  }

  private async runBackground(command: string): Promise<void> {
    expect(this.background === undefined, 'something runs in the background already');
    const started = startCommand(this.fixture, `exec ${command}`);
    this.background = started;
    while (!started.said().out.includes('\n') && started.process.exitCode === null)
      await Promise.race([
        once(started.process.stdout as NonNullable<typeof started.process.stdout>, 'data'),
        once(started.process, 'close'),
      ]);
    this.last = { code: started.process.exitCode, ...started.said() };
    expect(this.last.code === null, 'it ended at once');
  }

  private async stop(signal: NodeJS.Signals): Promise<void> {
    const { background } = this;
    if (!background) throw new Error('nothing runs in the background');
    const closed = once(background.process, 'close');
    background.process.kill(signal);
    const [code] = (await closed) as [number | null];
    this.last = { code, ...background.said() };
    this.background = undefined;
    this.isExitChecked = false;
  }

  private match(text: string, wanted: string, is: boolean): void {
    if (wanted === 'none') expect(text === '', 'it is not empty');
    else
      expect(
        new RegExp(this.filled(wanted, escapeRegex), 'm').test(text) === is,
        is ? 'nothing matches' : 'it matches',
      );
  }

  private compare(source: 'json' | 'errjson', rest: string): void {
    const [path = '', wanted = ''] = splitOnce(rest, ' = ');
    const found = JSON.stringify(this.valueAt(source, path.trim()) ?? null);
    expect(found === JSON.stringify(JSON.parse(this.filled(wanted))), `it is ${found}`);
  }

  private set(rest: string): void {
    const [name = '', source = ''] = splitOnce(rest, ' = ');
    const [kind = '', what = ''] = splitOnce(source.trim(), ' ');
    const value =
      kind === 'out' || kind === 'err'
        ? new RegExp(what, 'm').exec(this.last[kind])?.[1]
        : this.valueAt(kind, what.trim());
    expect(value !== undefined && value !== null, 'there is no such value');
    this.fixture.env[name.trim()] = String(value);
  }

  private setVariable(rest: string): void {
    if (rest.startsWith('-')) delete this.fixture.env[rest.slice(1)];
    else {
      const [name = '', value = ''] = splitOnce(rest, '=');
      this.fixture.env[name] = this.filled(value);
    }
  }

  private valueAt(source: string, path: string): unknown {
    const text = source === 'json' ? this.last.out : (this.last.err.trimEnd().split('\n').at(-1) ?? '');
    const value: unknown = JSON.parse(source === 'json' ? text : text || 'null');
    const root = source === 'json' ? value : (value as { error: unknown }).error;
    return path === '.'
      ? root
      : path
          .split('.')
          .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], root);
  }

  private filled(text: string, quote: (value: string) => string = (value) => value): string {
    return text.replace(/\$\{(\w+)\}/g, (_, name: string) => quote(this.fixture.env[name] ?? ''));
  }
}

const escapeRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

// Stories are text files run against the built program, each in a temporary folder and an ESIGN_HOME of its own.
//
//   # a comment
//   $ esign tx send contract.pdf --to "Ada <ada@example.com>" --json     run by sh; `esign` is the built program. A line
//                                   that needs no shell is run by a process that stays (one-process.ts), which is faster
//   exit 0                          its exit code (0 when not said)
//   out REGEX · err REGEX           stdout, stderr match (multi-line); `!out`, `!err`: do not match
//   out none · err none             nothing was printed there
//   json PATH = VALUE               the JSON on stdout has VALUE at PATH (`recipients.0.email`); null: nothing
//   errjson PATH = VALUE            the last line of stderr is an error object that has
//   set NAME = json PATH            NAME is an environment variable from here on, and ${NAME} in later expectations
//   set NAME = errjson PATH | out REGEX | err REGEX        (the first group)
//   env NAME=VALUE · env -NAME      for the commands that follow
//   file NAME … end                 writes the lines between into a file
//   background esign …              runs on; waits for its first line on stdout, which `set` and `json` then read
//   stop SIGNAL                     ends what runs in the background; `exit`, `out`, `err` follow
//
// ESIGN_STORY_NODE names the node binary that runs the program.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SLOW } from '../support/tier.ts';
import { type OneProcess, plainWords, type Ran, takeOneProcess } from './one-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODE = process.env.ESIGN_STORY_NODE ?? process.execPath;

export type World = {
  folder: string;
  env: Record<string, string>;
  /** Runs what needs no process of its own; undefined where every line gets one. */
  oneProcess?: OneProcess | undefined;
  close(): Promise<void>;
};

/** In the slow tier, and with another node, every line is started as a person starts it. */
const IS_STARTED_ANEW = SLOW || process.env.ESIGN_STORY_NODE !== undefined;

export async function createWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-story-'));
  await copyFile(join(ROOT, 'test', 'fixtures', 'contract.pdf'), join(folder, 'contract.pdf'));
  const env = {
    // Not written here: a file that another process was just writing may be busy when it is run.
    PATH: `${join(ROOT, 'test', 'stories', 'bin')}:${process.env.PATH}`,
    STORY_NODE: NODE,
    HOME: folder,
    ESIGN_HOME: join(folder, '.esign'),
    ESIGN_SOFFICE: 'off',
    LANG: 'C.UTF-8',
  };
  const oneProcess = IS_STARTED_ANEW ? undefined : takeOneProcess();
  return {
    folder,
    env,
    oneProcess,
    async close() {
      oneProcess?.giveBack();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

export async function runIn(world: World, command: string): Promise<Ran> {
  const plain = world.oneProcess && plainWords(command, world.env);
  if (plain && world.oneProcess && !world.oneProcess.isBusy)
    return world.oneProcess.run(plain.words, world.folder, plain.env);
  const child = start(world, command);
  const [code] = (await once(child.process, 'close')) as [number | null];
  return { code, ...child.said() };
}

export type Started = { process: ChildProcess; said(): { out: string; err: string } };

export function start({ folder, env }: World, command: string): Started {
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

/** Runs a whole story; throws with the line that did not hold. */
export async function tell(story: string): Promise<void> {
  const world = await createWorld();
  const teller = new Teller(world);
  const lines = story.split('\n');
  try {
    for (let at = 0; at < lines.length; at += 1) {
      const line = (lines[at] ?? '').trim();
      if (line === '' || line.startsWith('#')) continue;
      try {
        if (line.startsWith('file ')) at = await teller.writeFile(line.slice(5), lines, at);
        else await teller.take(line);
      } catch (error) {
        throw new Error(
          `line ${at + 1}: ${line}\n${error instanceof Error ? error.message : error}\n${teller.lastWords()}`,
        );
      }
    }
    teller.settle();
  } finally {
    await teller.end();
    await world.close();
  }
}

/** Owns what runs in the background, and what the last command said. */
class Teller {
  private last: Ran = { code: 0, out: '', err: '' };
  private isExitChecked = true;
  private background: Started | undefined;
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  async take(line: string): Promise<void> {
    const [word = '', rest = ''] = splitOnce(line, ' ');
    if (word === '$' || word === 'background' || word === 'stop') this.settle();
    switch (word) {
      case '$':
        this.last = await runIn(this.world, rest);
        this.isExitChecked = false;
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

  /** A command whose exit code nobody mentioned must have succeeded. */
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
    await writeFile(join(this.world.folder, name), `${this.filled(lines.slice(at + 1, end).join('\n'))}\n`);
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
    const started = start(this.world, `exec ${command}`);
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
    this.world.env[name.trim()] = String(value);
  }

  private setVariable(rest: string): void {
    if (rest.startsWith('-')) delete this.world.env[rest.slice(1)];
    else {
      const [name = '', value = ''] = splitOnce(rest, '=');
      this.world.env[name] = this.filled(value);
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
    return text.replace(/\$\{(\w+)\}/g, (_, name: string) => quote(this.world.env[name] ?? ''));
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

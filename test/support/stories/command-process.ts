// Runs the command lines of a story one after another in a persistent process, instead of starting one for each.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readBashLine } from '../../../src/cli/shell-completion/answer.ts';

export type LineResult = { code: number | null; out: string; err: string };

export type CommandProcess = {
  /** It runs one line at a time: concurrent lines need another process. */
  readonly isBusy: boolean;
  run(words: readonly string[], folder: string, env: Record<string, string>): Promise<LineResult>;
  /** Returns the process to the pool. */
  release(): void;
};

/** Idle processes. A line leaves no state in its process, so that another story can use it. */
const idle: CommandProcess[] = [];

export const takeCommandProcess = (): CommandProcess => idle.pop() ?? openCommandProcess();

const MARK = '\u001e';
const LINES = fileURLToPath(new URL('command-loop.mjs', import.meta.url));

function openCommandProcess(): CommandProcess {
  let child: ChildProcessWithoutNullStreams | undefined;
  const said = { out: '', err: '' };
  let look: () => void = () => undefined;

  function started(): ChildProcessWithoutNullStreams {
    if (child) return child;
    child = spawn(process.execPath, [LINES], { stdio: ['pipe', 'pipe', 'pipe'] });
    for (const [name, stream] of [
      ['out', child.stdout],
      ['err', child.stderr],
    ] as const)
      stream.setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
        look();
      });
    child.once('close', () => {
      child = undefined;
      look();
    });
    return child;
  }

  /** Up to the mark that ends a line, and what stands in it. */
  const taken = (name: 'out' | 'err'): { text: string; mark: string } | undefined => {
    const [text, mark, ...rest] = said[name].split(MARK);
    if (text === undefined || mark === undefined || rest.length === 0) return undefined;
    return { text, mark };
  };

  let isBusy = false;
  const commandProcess: CommandProcess = {
    get isBusy() {
      return isBusy;
    },
    run: (words, folder, env) =>
      new Promise((resolve, reject) => {
        look = () => {
          const [out, err] = [taken('out'), taken('err')];
          if (out && err) {
            said.out = '';
            said.err = '';
            isBusy = false;
            resolve({ code: Number(out.mark), out: out.text, err: err.text });
          } else if (!child) reject(new Error(`The process ended within a line: ${said.err}`));
        };
        isBusy = true;
        started().stdin.write(`${JSON.stringify({ words, folder, env })}\n`);
      }),
    release() {
      // A process in the middle of a line cannot be reused.
      if (isBusy) child?.kill();
      else idle.push(commandProcess);
    },
  };
  return commandProcess;
}

/** Matches a line that needs a shell for more than splitting it into words and inserting variables. */
const FOR_A_SHELL = /[`|<>&;()*?~#\\\n]|\$\(|\$[^\w{]|'[^']*\$|^esign -/;

/**
 * Returns the words of `NAME=value esign …`; undefined when a shell has to read
 * the line. @param env values of its variables
 */
export function plainWords(
  line: string,
  env: Record<string, string>,
): { words: string[]; env: Record<string, string> } | undefined {
  const [, prefix = '', command = ''] = /^((?:[A-Z_]+=[\w:.,/-]* )*)(esign(?: .*)?)$/.exec(line) ?? [];
  // A fault that ends the process would end the persistent one.
  if (command === '' || /exit:/.test(prefix) || FOR_A_SHELL.test(command.replace(/"[^"`\\]*"/g, quotedPart)))
    return undefined;
  const set = Object.fromEntries(prefix.split(' ').flatMap((one) => (one ? [splitAt(one)] : [])));
  const { words } = readBashLine(`${command} `, '');
  const filled = words.map((word) => word.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, a, b) => env[a ?? b] ?? ''));
  // An empty variable without quotes yields no word, so the line is left to a shell.
  return filled.includes('') ? undefined : { words: filled, env: { ...env, ...set } };
}

/** Returns the characters of a quoted part that are still special to a shell: `?` and `&` are not. */
const quotedPart = (part: string): string => (/\$[^\w{]/.test(part) ? part : '');

const splitAt = (text: string): [string, string] => {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
};

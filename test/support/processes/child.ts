// Starts a child process that exchanges lines of JSON with the test.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type ChildWithLines<Line> = {
  /** Its output so far; complete once it has ended. */
  lines: Line[];
  /** Resolves with the first matching line, past or future. Rejects when the child ends without one. */
  until(fits: (line: Line) => boolean): Promise<Line>;
  tell(line: unknown): void;
  kill(): void;
  /** Resolves once its last line was read. @returns the exit code, or null when it was killed */
  ended: Promise<number | null>;
};

export function startChildProcess<Line>(program: URL, ...args: string[]): ChildWithLines<Line> {
  const process_ = spawn(process.execPath, [fileURLToPath(program), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: Line[] = [];
  const waiting = new Set<(line: Line) => void>();
  const reader = createInterface({ input: process_.stdout });
  reader.on('line', (text) => {
    const line = parseLine<Line>(text);
    if (line === undefined) return;
    lines.push(line);
    for (const look of waiting) look(line);
  });
  const errorOutput = textOf(process_.stderr);
  const ended = Promise.all([codeOf(process_), new Promise((resolve) => reader.once('close', resolve))]).then(
    ([code]) => code,
  );
  return {
    lines,
    ended,
    until: (fits) => {
      const known = lines.find(fits);
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve, reject) => {
        const look = (line: Line) => {
          if (!fits(line)) return;
          waiting.delete(look);
          resolve(line);
        };
        waiting.add(look);
        void ended.then((code) => reject(new Error(`The child ended with ${code}: ${errorOutput()}`)));
      });
    },
    tell: (line) => process_.stdin.write(`${JSON.stringify(line)}\n`),
    kill: () => process_.kill('SIGKILL'),
  };
}

/** Parses a line; the last line of a killed child may be incomplete. */
function parseLine<Line>(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

const codeOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    child.once('close', (code) => resolve(code));
  });

function textOf(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}

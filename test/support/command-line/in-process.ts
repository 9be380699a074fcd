// Runs a command line in the process of the test, and returns its output and exit code. As fast as the
// command itself, and with the streams of a pipe or of a terminal.
import { PassThrough } from 'node:stream';
import { runWith } from '../../../src/cli/run.ts';
import { ENGINE_PROGRAM } from '../documents/engine.ts';
import type { StoryFixture } from '../stories/story.ts';

export type CommandResult = { code: number; out: string; err: string };

/**
 * @property isTerminal of stdout and stderr; the command does not prompt, because stdin is not a terminal
 * @property onSignal takes the function that ends the command as a signal does
 */
export type RunOptions = {
  isTerminal?: boolean;
  input?: string;
  onSignal?: (stop: (signal: 'SIGINT' | 'SIGTERM') => void) => void;
};

export async function runInProcess(
  { env, folder }: Pick<StoryFixture, 'env' | 'folder'>,
  words: readonly string[],
  { isTerminal = false, input = '', onSignal = () => undefined }: RunOptions = {},
): Promise<CommandResult> {
  const said = { out: '', err: '' };
  const sink = (name: 'out' | 'err') => ({
    write: (text: string) => {
      said[name] += text;
    },
    isTerminal,
    columns: undefined,
  });
  const code = await runWith(words, {
    version: '0.0.0-test',
    environment: { variables: env, homeDir: folder, workingDir: folder },
    streams: {
      out: sink('out'),
      err: sink('err'),
      isInputTerminal: false,
      input: () => new PassThrough().end(input),
    },
    onSignal,
    engineProgram: ENGINE_PROGRAM,
  });
  return { code, ...said };
}

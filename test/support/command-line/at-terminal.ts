// Runs a command line in this process with the streams of a terminal, and stops it by a signal.
import { PassThrough } from 'node:stream';
import type { Signal } from '../../../src/cli/process/edges.ts';
import { runWith } from '../../../src/cli/run.ts';
import { ENGINE_PROGRAM } from '../documents/engine.ts';
import type { StoryFixture } from '../stories/story.ts';

/** Runs a command line as a person does, until it ends by itself or by a signal. */
export function runAtTerminal(fixture: Pick<StoryFixture, 'env' | 'folder'>, words: readonly string[]) {
  const said = { out: '', err: '' };
  let signal: (signal: Signal) => void = () => undefined;
  const sink = (name: 'out' | 'err') => ({
    write: (text: string) => {
      said[name] += text;
    },
    isTerminal: true,
    columns: undefined,
  });
  const ended = runWith(words, {
    version: '0.0.0-test',
    environment: { variables: fixture.env, homeDir: fixture.folder, workingDir: fixture.folder },
    streams: {
      out: sink('out'),
      err: sink('err'),
      isInputTerminal: false,
      input: () => new PassThrough().end(),
    },
    onSignal: (stop) => {
      signal = stop;
    },
    engineProgram: ENGINE_PROGRAM,
  });
  return { said, ended, stop: () => signal('SIGINT') };
}

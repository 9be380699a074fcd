// Prevents that the runner of GitHub Actions takes output for a command.
import type { Variables } from '../../config/environment.ts';
import type { Actions } from './github-actions.ts';
import { defuseCommands } from './safe-text.ts';
import type { Sink, Streams } from './streams.ts';

/** Makes the output for a job of GitHub Actions. Undefined outside of one. */
export async function actionsOf(variables: Variables, { err }: Streams): Promise<Actions | undefined> {
  if (!variables.GITHUB_ACTIONS) return undefined;
  const { createActions } = await import('./github-actions.ts');
  const { randomUUID } = await import('node:crypto');
  return createActions({ variables, err, newDelimiter: randomUUID });
}

export const createDefusingSink = (sink: Sink, isJson: boolean): Sink => ({
  ...sink,
  write: (text) =>
    sink.write(
      typeof text === 'string'
        ? defuseCommands(text, isJson)
        : Buffer.from(defuseCommands(Buffer.from(text).toString('latin1'), isJson), 'latin1'),
    ),
});

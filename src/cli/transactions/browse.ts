// Opens the address at which somebody signs, once it is known that somebody answers there.
import type { Uses } from '../command/context.ts';
import type { Connection } from '../connection/connection.ts';

export const SERVE_FIRST = 'The URL works while `esign sandbox serve` is running.';

export type Browsed = { opened: boolean; notes: string[] };

/** Never fails; a browser that does not open is said. */
export async function browseTo(
  context: Uses<'connections' | 'terminal'>,
  connection: Connection,
  url: string,
): Promise<Browsed> {
  const isAnswered = !connection.isSandbox || (await context.connections.isAnswering(connection.appUrl));
  if (!isAnswered) return { opened: false, notes: [SERVE_FIRST] };
  const browsed = await context.terminal.browse(url);
  if (browsed === 'failed')
    context.terminal.progress.warn('No browser could be opened. Open the URL manually.');
  return { opened: browsed === 'opened', notes: [] };
}

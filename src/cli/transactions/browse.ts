// Opens the signing page of a recipient, after checking that a server answers there.
import type { Uses } from '../command/context.ts';
import type { Connection, SandboxServer } from '../connection/connection.ts';

export const SERVE_FIRST = 'The URL works while `esign sandbox serve` is running.';

export type Browsed = {
  opened: boolean;
  notes: string[];
  /** The server of the page in this process. The caller has to close it. */
  serving?: SandboxServer | undefined;
};

/**
 * Opens the signing page. For a person at a terminal it also serves the page where `esign sandbox serve` is not
 * running.
 */
export async function browseServed(
  context: Uses<'connections' | 'terminal'>,
  connection: Connection,
  url: string,
): Promise<Browsed> {
  const { connections, terminal } = context;
  const isNeeded =
    connection.isSandbox && terminal.isForPerson && !(await connections.isAnswering(connection.appUrl));
  if (!isNeeded) return browseTo(context, connection, url);
  const serving = await connections
    .serveSandbox({ host: undefined, port: undefined, isSilent: true })
    .catch((error: Error) => terminal.progress.warn(`The page cannot be served: ${error.message}`));
  return serving ? { ...(await browse(context, url)), serving } : { opened: false, notes: [SERVE_FIRST] };
}

/** Opens a URL. Never fails; the result says so when the browser does not open. */
export async function browseTo(
  context: Uses<'connections' | 'terminal'>,
  connection: Connection,
  url: string,
): Promise<Browsed> {
  const isAnswered = !connection.isSandbox || (await context.connections.isAnswering(connection.appUrl));
  return isAnswered ? browse(context, url) : { opened: false, notes: [SERVE_FIRST] };
}

async function browse({ terminal }: Uses<'terminal'>, url: string): Promise<Browsed> {
  const browsed = await terminal.browse(url);
  if (browsed === 'failed') terminal.progress.warn('No browser could be opened. Open the URL manually.');
  return { opened: browsed === 'opened', notes: [] };
}

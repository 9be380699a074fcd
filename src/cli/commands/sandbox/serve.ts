import { rm } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { parseUrl } from '../../../common/parse-url.ts';
import { defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { EXIT } from '../../command/exit-codes.ts';
import { nameOnly, nullable, object, only, prints, text } from '../../command/json-output.ts';
import { explainListenError } from '../../command/listen-error.ts';
import type { Outcome, RecordOutcome } from '../../command/outcome.ts';
import { invalidValue } from '../../command/wrong-input.ts';
import type { SandboxServer } from '../../connection/connection.ts';
import { wholeNumber } from '../../input/parse-input.ts';
import type { Signal } from '../../process/edges.ts';
import { openFolder } from '../../sending/output-folder.ts';
import { person } from '../../sending/view.ts';

export const command = defineCommand({
  summary: 'Serve the sandbox over HTTP until stopped',
  details:
    'Serves the API, the signing pages and the dashboard of the sandbox at its URL. The URL is chosen ' +
    'when the sandbox is created and is kept, so that signing URLs remain valid; --port and --host serve ' +
    'it elsewhere for this run only. In a container, --host 0.0.0.0 listens on the mapped port, and --origin ' +
    'says under which URL that port is reached. `esign sandbox open` opens the dashboard ' +
    'without a password. Ctrl-C stops the server after requests in ' +
    'progress have finished.',
  arguments: [],
  options: {
    port: {
      value: 'N',
      summary: 'Port to listen on; 0 chooses a free port (default: the port of the sandbox URL)',
    },
    host: {
      value: 'ADDRESS',
      summary: 'Host address to listen on; others than loopback let other machines in (default: 127.0.0.1)',
    },
    origin: {
      value: 'URL',
      summary:
        'URL at which people and programs reach the sandbox, such as that of a container port; signing URLs begin with it',
    },
    'ready-file': {
      value: 'FILE',
      summary: 'File that gets what --json prints once requests are answered; deleted at the end',
      completes: 'file',
    },
  },
  json: prints(
    object({
      base_url: text,
      app_url: text,
      dashboard_url: text,
      client_id: nullable(text),
      sender: nullable(text),
      reachable_from: nameOnly(only('this_machine', 'network')),
    }),
    ', printed once the server is ready',
  ),
  examples: [
    { line: 'esign sandbox serve', about: 'Serve the API, the signing pages and the dashboard' },
    {
      line: 'esign sandbox serve --port 0 --json',
      about: 'Serve on a free port for a test; read base_url from the JSON',
    },
    {
      line: 'esign sandbox serve --port 0 --ready-file sandbox.json',
      about: 'Write the addresses to a file once requests are answered',
    },
  ],
  async run(context, { options: { port, host, origin, 'ready-file': readyFile } }) {
    return serveSandbox(context, { port, host, origin, readyFile });
  },
});

const PORT_MAX = 65_535;

async function serveSandbox(
  context: Uses<'connections' | 'process' | 'terminal'>,
  options: Record<'port' | 'host' | 'origin' | 'readyFile', string | undefined>,
): Promise<Outcome> {
  const port = options.port === undefined ? undefined : wholeNumber('--port', options.port, 0, PORT_MAX);
  const origin = options.origin === undefined ? undefined : originIn(options.origin);
  const { client, ownUser } = await context.connections.sandbox();
  const { items } = await client['sandbox.list_clients']();
  const serving = await context.connections
    .serveSandbox({ host: options.host, port, origin })
    .catch((error: unknown) => {
      throw explainListenError(error, LISTEN_HINTS);
    });
  const url = origin ?? serving.url;
  const facts = {
    base_url: url,
    app_url: url,
    dashboard_url: url,
    client_id: items.at(-1)?.client_id ?? null,
    sender: ownUser === undefined ? null : person(ownUser),
    reachable_from: serving.isOpenToOthers ? ('network' as const) : ('this_machine' as const),
  };
  if (facts.reachable_from === 'network')
    context.terminal.warnAlways('reachable_from_network', openToOthers(serving.url, origin));
  await context.terminal.print(announcement(facts));
  const { readyFile } = options;
  const signal = await waitUntilStopped(context, serving, { readyFile, facts }).finally(() =>
    serving.close(),
  );
  if (signal instanceof Error) throw signal;
  return {
    kind: 'text',
    text: '',
    json: undefined,
    exit: signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated,
  };
}

/** @throws CliError with exit 2 unless the text is a scheme and a host */
function originIn(text: string): string {
  const url = parseUrl(text);
  const isWebAddress = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!isWebAddress || url.href !== `${url.origin}/`)
    throw invalidValue({
      name: '--origin',
      value: text,
      use: 'a URL without a path such as http://localhost:8080',
    });
  return url.origin;
}

/** Waits for the end of the server. The file says meanwhile that it is ready. */
async function waitUntilStopped(
  context: Uses<'process'>,
  { failed }: Pick<SandboxServer, 'failed'>,
  { readyFile, facts }: { readyFile: string | undefined; facts: Announced },
): Promise<Signal | Error> {
  const { stopped, workingDir } = context.process;
  if (readyFile === undefined) return Promise.race([stopped, failed]);
  const folder = await openFolder(context, dirname(readyFile), { isForced: true, force: '' });
  // The file has its name once all of it is written.
  await folder.write(basename(readyFile), Buffer.from(`${JSON.stringify(facts)}\n`));
  const reason = await Promise.race([stopped, failed]);
  await rm(resolve(workingDir, readyFile), { force: true });
  return reason;
}

type Announced = {
  base_url: string;
  app_url: string;
  dashboard_url: string;
  client_id: string | null;
  /** The user of the access token: only they may be the sender (spec §1). */
  sender: string | null;
  /** `network`: it listens on an address that other machines may reach. */
  reachable_from: 'this_machine' | 'network';
};

/** Says what others can do, and what only the owner of the machine can (decision 0038). */
function openToOthers(url: string, origin: string | undefined): string {
  const { hostname, port } = new URL(url);
  const isEveryAddress = hostname === '0.0.0.0' || hostname === '[::]';
  const [address] = isEveryAddress ? networkAddresses() : [];
  const reached =
    address === undefined ? (isEveryAddress ? url : (origin ?? url)) : `http://${address}:${port}`;
  return (
    `Other machines can connect to ${reached}: ` +
    'open signing links, sign in with a password, and call the API with a token. ' +
    'Only this machine can register users and see what receivers respond; receivers on this machine get no events.' +
    (address === undefined || origin !== undefined
      ? ''
      : ` Signing URLs begin with ${url}, which other machines cannot open. To get URLs that they can open, use --host ${address}, or --origin URL.`)
  );
}

/** Lists IPv4 addresses at which other machines may reach this one. */
const networkAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);

function announcement(facts: Announced): RecordOutcome & Outcome {
  return {
    kind: 'record',
    headline: 'The sandbox is running. Press Ctrl-C to stop it.',
    json: facts,
    entries: [
      { key: 'base_url', label: 'Base URL', value: facts.base_url },
      { key: 'app_url', value: facts.app_url },
      { key: 'dashboard_url', label: 'Dashboard', value: facts.dashboard_url },
      { key: 'client_id', label: 'Client ID', value: facts.client_id },
      { key: 'sender', label: 'Sender', value: facts.sender },
      { key: 'token', label: 'Token', value: 'esign sandbox token' },
      {
        key: 'reachable_from',
        label: 'Reachable from',
        value: facts.reachable_from === 'network' ? 'the network' : 'this machine only',
      },
    ],
    notes: [
      'Signing pages are available while this command is running.',
      'To use the sandbox from another program:',
      `  export ESIGN_BASE_URL=${facts.base_url} ESIGN_APP_URL=${facts.app_url}`,
      '  export ESIGN_ACCESS_TOKEN="$(esign sandbox token --raw)"',
      ...(facts.sender === null ? [] : [`  export ESIGN_SENDER="${facts.sender}"`]),
      'To open the dashboard, logged in as the user of the sandbox:',
      '  esign sandbox open',
    ],
  };
}

const LISTEN_HINTS = {
  inUse: 'Another `esign sandbox serve` may be running. Stop it, or choose another port with --port.',
  notAllowed: 'Choose a port from 1024 to 65535 with --port.',
  notAvailable: 'Omit --host, or use an IP address of this machine.',
};

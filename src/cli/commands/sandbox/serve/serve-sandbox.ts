// `sandbox serve`: says where it answers, then answers until a signal comes.
import type { Uses } from '../../../command/context.ts';
import { CliError, EXIT } from '../../../command/errors.ts';
import type { Outcome, RecordOutcome } from '../../../command/outcome.ts';
import { wholeNumber } from '../../../input/checked.ts';
import { person } from '../../../transactions/view.ts';

const PORT_MAX = 65_535;

export async function serveSandbox(
  context: Uses<'connections' | 'process' | 'terminal'>,
  options: { port: string | undefined; host: string | undefined },
): Promise<Outcome> {
  const port = options.port === undefined ? undefined : wholeNumber('--port', options.port, 0, PORT_MAX);
  const { client, ownUser } = await context.connections.sandbox();
  const { items } = await client['sandbox.list_clients']();
  const serving = await context.connections
    .serveSandbox({ host: options.host, port })
    .catch((error: unknown) => {
      throw explained(error);
    });
  const facts = {
    base_url: serving.url,
    app_url: serving.url,
    dashboard_url: serving.url,
    client_id: items.at(-1)?.client_id ?? null,
    sender: ownUser === undefined ? null : person(ownUser),
  };
  await context.terminal.print(announcement(facts));
  const signal = await context.process.stopped;
  await serving.close();
  return {
    kind: 'text',
    text: '',
    json: undefined,
    exit: signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated,
  };
}

type Announced = {
  base_url: string;
  app_url: string;
  dashboard_url: string;
  client_id: string | null;
  /** Who the access token stands for: only they may be the sender (spec §1). */
  sender: string | null;
};

function announcement(facts: Announced): RecordOutcome & Outcome {
  return {
    kind: 'record',
    headline: 'The sandbox answers. Ctrl-C stops it.',
    json: facts,
    entries: [
      { key: 'base_url', label: 'Base address', value: facts.base_url },
      { key: 'app_url', value: facts.app_url },
      { key: 'dashboard_url', label: 'Dashboard', value: facts.dashboard_url },
      { key: 'client_id', label: 'Client id', value: facts.client_id },
      { key: 'sender', label: 'Sender', value: facts.sender },
      { key: 'token', label: 'Token', value: 'esign sandbox token' },
    ],
    notes: [
      'signing addresses open in a browser as long as this runs',
      'to use it from another program:',
      `  export ESIGN_BASE_URL=${facts.base_url} ESIGN_APP_URL=${facts.app_url}`,
      '  export ESIGN_ACCESS_TOKEN="$(esign sandbox token --raw)"',
      ...(facts.sender === null ? [] : [`  export ESIGN_SENDER="${facts.sender}"`]),
      'to sign in at the dashboard as the own user of the sandbox:',
      '  esign sandbox users password',
    ],
  };
}

const REASONS: Record<string, [code: string, what: string, hint: string]> = {
  EADDRINUSE: [
    'port_in_use',
    'is in use',
    'Perhaps `esign sandbox serve` runs already; otherwise choose another with --port.',
  ],
  EACCES: ['port_not_allowed', 'may not be used', 'Choose a port from 1024 with --port.'],
  EADDRNOTAVAIL: [
    'address_not_available',
    'is not an address of this machine',
    'Leave --host out, or give an address of this machine.',
  ],
  ENOTFOUND: [
    'address_not_available',
    'is not an address of this machine',
    'Leave --host out, or give an address of this machine.',
  ],
};

function explained(error: unknown): unknown {
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  const reason = REASONS[code ?? ''];
  if (!reason) return error;
  const [name, what, hint] = reason;
  return new CliError(
    `${[address, port].filter((part) => part !== undefined).join(':') || 'The address'} ${what}.`,
    { code: name, exit: EXIT.usage, hint },
  );
}

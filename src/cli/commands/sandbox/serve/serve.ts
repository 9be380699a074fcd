import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Serve the sandbox over HTTP until stopped',
  details:
    'Serves the API, the signing pages and the dashboard of the sandbox at its URL. The URL is chosen ' +
    'when the sandbox is created and is kept, so that signing URLs remain valid; --port and --host serve ' +
    'it elsewhere for this run only. `esign sandbox open` opens the dashboard ' +
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
    'ready-file': {
      value: 'FILE',
      summary: 'File that gets what --json prints once requests are answered; deleted at the end',
      completes: 'file',
    },
  },
  json: '{base_url, app_url, dashboard_url, client_id, sender, reachable_from}, printed once the server is ready',
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
  async run(context, { options: { port, host, 'ready-file': readyFile } }) {
    const { serveSandbox } = await import('./serve-sandbox.ts');
    return serveSandbox(context, { port, host, readyFile });
  },
});

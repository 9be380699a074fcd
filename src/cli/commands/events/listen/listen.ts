import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Print events as they happen, and optionally forward them to a URL',
  details: `Prints new events until you press Ctrl-C (exit code 130). If the connection to the service breaks, the events that were missed
follow later. With --forward-to, each event is sent to
your URL as a webhook would send it, with the headers webhook-id, webhook-timestamp and webhook-signature, in
order within each transaction. Redirects are not followed, and a response may take up to 15 seconds. Failures are always shown;
they are retried only with --retry, and do not end the command.

Forwarded events are signed with the secret in ESIGN_WEBHOOK_SECRET if it is set. Otherwise, the sandbox has a secret
that stays the same, which --print-secret prints. For a service, a new secret is generated in each run and shown at
a terminal; set ESIGN_WEBHOOK_SECRET to use the same one in every run. With --public-url, the
secret of the temporary webhook is used and shown at a terminal instead, unless ESIGN_WEBHOOK_SECRET is set.

The sandbox, and services whose API can list events, need neither a webhook nor a tunnel. Listing events is an optional part
of the API. A service without it (esign ends with exit code 2 and says so) only sends events to a public URL: run a tunnel to
port 8977 of this machine (or --port) and give its URL with --public-url. A webhook is created at the service for this
session and deleted at the end. What arrives with a wrong signature is refused with a warning, and neither printed nor forwarded.`,
  arguments: [],
  options: {
    'forward-to': { value: 'URL', summary: 'HTTP or HTTPS URL that each event is sent to' },
    event: {
      value: 'TYPE',
      repeat: true,
      summary: 'Event type to print and forward; see `esign help events` (default: all types)',
      completes: 'event_type',
    },
    transaction: {
      value: 'ID',
      completes: 'transaction',
      summary: 'ID of the transaction whose events are printed and forwarded',
    },
    after: {
      value: 'ID',
      completes: 'event',
      summary: 'ID of the event to continue after, instead of starting now',
    },
    retry: { summary: 'Retry a failed event up to five times, after 1, 2, 5, 10 and 30 seconds' },
    'print-secret': {
      summary:
        'Print the secret that forwarded events are signed with, and exit; at a service, only if ESIGN_WEBHOOK_SECRET is set',
    },
    'public-url': {
      value: 'URL',
      summary: 'HTTPS URL of a tunnel to this machine, for services whose API cannot list events',
    },
    port: { value: 'N', summary: 'Port on which esign receives what the tunnel forwards', default: '8977' },
  },
  json: '{created, id, type, data: {…}, forwarded?: {status, why, duration_ms, attempts}, verified?}, one object per line (forwarded only with --forward-to; verified only with --public-url: true, or null if the service gave the webhook no secret); with --print-secret {secret}',
  examples: [
    {
      line: 'esign events listen --forward-to http://localhost:3000/hook',
      about: 'Test a webhook receiver on this machine',
    },
    {
      line: 'esign events listen --event transaction_completed',
      about: 'Print only completed transactions',
    },
    {
      line: 'esign events listen --print-secret',
      about: 'Print the secret that a receiver checks forwarded events with',
    },
  ],
  async check(_, { options }) {
    (await import('./listen-to-events.ts')).readListenOptions(options);
  },
  async run(context, { options }) {
    const { listenToEvents } = await import('./listen-to-events.ts');
    return listenToEvents(context, options);
  },
});

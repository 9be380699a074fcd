// Errors of the commands about events.
import { errorRow } from '../error-row.ts';
import { EXIT } from '../exit-codes.ts';

const exit = EXIT.usage;

export const EVENT_ERRORS = {
  secret_not_lasting: errorRow<{ service: string }>({
    exit,
    sentence: ({ service }) =>
      `There is no secret to print: each run of \`esign events listen\` signs the events of ${service} with a new one.`,
    hint: () =>
      'Set ESIGN_WEBHOOK_SECRET to the secret of your receiver; `esign events listen` then signs with it in every run.',
    samples: [{ service: 'SERVICE' }],
  }),
  events_not_listed: errorRow<{ request: string; status: number }>({
    exit,
    sentence: ({ request, status }) =>
      `The service does not list its events: the response to ${request} has the status ${status}.`,
    hint: () =>
      'Run a tunnel to port 8977 of this machine, and specify the URL of the tunnel: `esign events listen --public-url https://… --port 8977`.',
    samples: [{ request: 'METHOD PATH', status: 404 }],
  }),
  too_many_events: errorRow<{ count: number; most: number }>({
    exit,
    sentence: ({ count, most }) => `${count} events match. At most ${most} can be forwarded at once.`,
    hint: () => 'Use a later --since, or add --transaction ID.',
    samples: [{ count: 2000, most: 1000 }],
  }),
  override_unused: errorRow<{ path: string; type: string; isMade: boolean }>({
    exit,
    sentence: ({ path, type, isMade }) =>
      `--override ${path} has no effect on ${type}${isMade ? '' : ' for this transaction'}.`,
    hint: () => 'Leave out this option.',
    samples: [
      { path: 'PATH', type: 'TYPE', isMade: true },
      { path: 'a', type: 'b', isMade: false },
    ],
  }),
  sandbox_only: errorRow<{ profile: string; service: string }>({
    exit,
    sentence: ({ profile, service }) =>
      `Events can be triggered only in the sandbox. The profile "${profile}" uses ${service}.`,
    hint: () => 'Add --sandbox. To get events from a service, send a transaction with `esign tx send`.',
    samples: [{ profile: 'PROFILE', service: 'SERVICE' }],
  }),
  event_unreachable: errorRow<{ id: string; state: string; type: string }>({
    exit: EXIT.conflict,
    sentence: ({ id, state, type }) =>
      `Transaction ${id} is ${state}, so the event ${type} cannot occur any more.`,
    hint: () => 'Leave out --transaction. The event is then triggered with a new transaction.',
    next: ({ type }) => [{ command: `esign events trigger ${type}`, when: 'to use a new transaction' }],
    samples: [{ id: 'TRANSACTION', state: 'completed', type: 'transaction_cancelled' }],
  }),
};

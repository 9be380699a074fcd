// A service whose every text is hostile: names, documents, reasons, refusals. It answers as if everything that is asked for existed.
import { type RunningServer, startScriptedService } from './scripted-service.ts';

/** Title of the window, colours, cursor, C1, bell, line ends, bidi overrides and isolates, marks, tags, NUL. */
export const CORPUS = [
  '\u001b]0;owned\u0007',
  '\u001b]8;;http://evil.example\u001b\\link',
  '\u001b[2J\u001b[H',
  '\u009b31mred',
  'a\r\nb\u2028c',
  'paypal\u202egnp.exe',
  '\u2066x\u2069\u200f\u061c',
  'tag\u{e0041}\ufeff',
  'nul\u0000bs\b',
  '::error::x ##[error]y',
];
export const HOSTILE = CORPUS.join(' ');

const recipient = {
  id: HOSTILE,
  role: 'signer',
  name: HOSTILE,
  email: HOSTILE,
  index: 0,
  is_current: true,
  token: 'token-token',
};
export const TRANSACTION = {
  id: HOSTILE,
  status: 'started',
  created_at: HOSTILE,
  sent_at: '2026-11-20T10:00:00.000Z',
  expires_at: HOSTILE,
  cancelled_reason: HOSTILE,
  template: {
    name: HOSTILE,
    recipients: [recipient, { ...recipient, is_current: false, submitted_at: HOSTILE }],
    documents: [{ id: HOSTILE, index: 0, pages: [], file: { original_name: HOSTILE } }],
    fields: [
      { id: HOSTILE, type: HOSTILE, label: HOSTILE, document_id: HOSTILE, recipient_id: HOSTILE, page: 0 },
    ],
  },
};
export const EVENT = {
  created: HOSTILE,
  id: HOSTILE,
  type: HOSTILE,
  data: { id: HOSTILE, [HOSTILE]: { [HOSTILE]: [HOSTILE] } },
};
const ATTEMPT = {
  at: HOSTILE,
  why: HOSTILE,
  answer: HOSTILE,
  next_at: HOSTILE,
  event: { id: HOSTILE, type: HOSTILE },
};
const DELIVERY = {
  id: HOSTILE,
  endpoint: HOSTILE,
  state: HOSTILE,
  reason: HOSTILE,
  next_at: HOSTILE,
  attempts: [ATTEMPT],
};
export const LIST = {
  items: [{ ...EVENT, name: HOSTILE, endpoint: HOSTILE, events: [HOSTILE], enabled: true }],
  meta: { current_page: 1, page_count: 1, is_last_page: true, next_page: null, previous_page: null },
};

const WEBHOOK = { endpoint: HOSTILE, events: [HOSTILE], disabled_at: HOSTILE, last_attempts: [ATTEMPT] };

export const startHostileService = (): Promise<RunningServer> =>
  startScriptedService((response, { path }) => {
    const [status, body] = answerTo(path);
    // A header holds no control character.
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'a b' });
    response.end(JSON.stringify(body));
  });

function answerTo(path: string): [status: number, body: object] {
  if (path.includes('/refused'))
    return [
      409,
      { code: HOSTILE, title: HOSTILE, detail: HOSTILE, errors: [{ path: HOSTILE, message: HOSTILE }] },
    ];
  if (path.includes('/transaction')) return [200, TRANSACTION];
  if (path.includes('/event/')) return [200, { ...EVENT, deliveries: [DELIVERY] }];
  if (/\/(template|webhook)\//.test(path))
    return [200, { ...TRANSACTION.template, ...WEBHOOK, id: HOSTILE, description: HOSTILE }];
  return [200, LIST];
}

// Works on a store until it is killed: takes transactions from draft to their end, several at a time, and reports each attempt
// before it is made and each answer after it came.
//   node worker.mjs FOLDER {"round": 3, "unfinished": ["id", …], "turns": 40 | null}
import {
  apiOf,
  fieldsBody,
  openService,
  updateBody,
  writeLine,
} from '../support/processes/service-in-child.mjs';

const [folder, instructions] = process.argv.slice(2);
const { round, unfinished, turns } = JSON.parse(instructions);
const LANES = 3;
const SIGNERS = 2;

writeLine({ opening: true });
const service = await openService(folder);
const api = apiOf(service);
// The first upload loads what reads a PDF; the time until the end is short and meant for the work.
const stock = [await api.upload(`${round}-first`)];
writeLine({ open: true });

let attempts = 0;

/** One change of one transaction. A key makes the request repeatable; the parent repeats it. */
async function attempt(lane, op, id, { method, path, body, keyed }) {
  attempts += 1;
  const key = keyed ? `${round}-${attempts}-${op}` : undefined;
  const told = { lane, op, id, key, method, path, body };
  writeLine({ attempt: told });
  const answer = await api.send(method, path, body, key ? { 'idempotency-key': key } : {});
  if (answer.status >= 400) writeLine({ failed: `${op}: ${JSON.stringify(answer.body)}` });
  writeLine({ answered: { lane, body: answer.body } });
  return answer.body;
}

async function begin(lane, count) {
  const name = `round-${round}-lane-${lane}-number-${count}`;
  const { id } = await attempt(lane, 'create', undefined, {
    method: 'POST',
    path: '/v1/transaction',
    body: { name },
    keyed: true,
  });
  return id;
}

/** The next step of whatever state it is in; undefined at its end. */
async function nextStep(detail) {
  const path = `/v1/transaction/${detail.id}`;
  const { documents, recipients, fields } = detail.template;
  const chance = Math.random();
  if (detail.status === 'draft') {
    if (documents.length === 0 || (recipients.length === 0 && chance < 0.2)) {
      const token = stock.pop() ?? (await api.upload(`${detail.id}-${documents.length}`));
      return ['attach', { method: 'POST', path: `${path}/document`, body: { token }, keyed: true }];
    }
    if (recipients.length === 0)
      return ['update', { method: 'PUT', path, body: updateBody(detail, detail.template.name, SIGNERS) }];
    if (fields.length === 0)
      return ['fields', { method: 'PUT', path: `${path}/fields`, body: fieldsBody(detail) }];
    return ['start', { method: 'PUT', path: `${path}/start`, keyed: true }];
  }
  if (detail.status !== 'started') return undefined;
  if (chance < 0.15)
    return ['cancel', { method: 'PUT', path: `${path}/cancel`, body: { cancelled_reason: 'Wrong' } }];
  const current = recipients.find((recipient) => recipient.is_current);
  const link = (what) => `/sign/${what}?token=${current.token}`;
  if (chance < 0.3) return ['reject', { method: 'POST', path: link('reject'), body: { reason: 'Too dear' } }];
  const asked = fields.filter((field) => field.recipient_id === current.id);
  const values = asked.map(({ id }) => ({ field_id: id, value: current.name }));
  return ['submit', { method: 'POST', path: link('submit'), body: { values } }];
}

/** A code, and what it is exchanged for. */
async function exchange(lane) {
  const app = {
    method: 'POST',
    path: '/_sandbox/client',
    body: { name: 'App', callback_url: 'https://example.com' },
  };
  const { client_id, client_secret } = (await api.send(app.method, app.path, app.body)).body;
  const { code } = (await api.send('POST', '/_sandbox/token', { kind: 'code', client_id })).body;
  const body = { client_id, client_secret, code };
  await attempt(lane, 'exchange', undefined, { method: 'POST', path: '/v1/oauth/exchange/code', body });
}

let left = turns ?? Number.POSITIVE_INFINITY;

async function work(lane) {
  const mine = unfinished.filter((_, index) => index % LANES === lane);
  for (let count = 0; left > 0; count += 1) {
    const id = mine.shift() ?? (await begin(lane, count));
    for (; left > 0; left -= 1) {
      const { body: detail } = await api.get(`/v1/transaction/${id}`);
      const step = await nextStep(detail);
      if (!step) break;
      await attempt(lane, step[0], id, step[1]);
      if (Math.random() < 0.1) await exchange(lane);
    }
  }
}

await Promise.all(Array.from({ length: LANES }, (_, lane) => work(lane)));
await service.close();
writeLine({ finished: true });

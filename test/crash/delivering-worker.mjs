// Serves a store until it is killed, and meanwhile takes transactions from draft to a cancelled or rejected end, whose events
// go to a receiver.
//   node delivering-worker.mjs FOLDER {"receiver": "http://127.0.0.1:…/hook", "transactions": 4 | 0, "aheadMs": 0}
import { serve } from '../../dist/service.js';
import {
  apiOf,
  fieldsBody,
  openService,
  updateBody,
  writeLine,
} from '../support/processes/service-in-child.mjs';

const [folder, instructions] = process.argv.slice(2);
const { receiver, transactions, aheadMs } = JSON.parse(instructions);
const SIGNERS = 2;
const LEASE_MS = 250;

const service = await openService(folder, { leaseMs: LEASE_MS, clock: () => Date.now() + aheadMs });
await serve(service, { host: '127.0.0.1', port: 0, office: 'off' });
const api = apiOf(service);
writeLine({ open: true });

let answered = 0;

const must = async (method, path, body) => {
  const answer = await api.send(method, path, body);
  if (answer.status >= 400) writeLine({ failed: `${method} ${path}: ${JSON.stringify(answer.body)}` });
  answered += 1;
  writeLine({ answered });
  return answer.body;
};

async function one() {
  const { id } = await must('POST', '/v1/transaction', {
    name: 'Agreement',
    notification_endpoint: receiver,
  });
  const path = `/v1/transaction/${id}`;
  await must('POST', `${path}/document`, { token });
  await must(
    'PUT',
    path,
    updateBody(await api.send('GET', path).then(({ body }) => body), 'Agreement', SIGNERS),
  );
  const detail = (await api.get(path)).body;
  await must('PUT', `${path}/fields`, fieldsBody(detail));
  await must('PUT', `${path}/start`);
  await must('POST', `/_sandbox/transaction/${id}/sign`, {});
  await must('PUT', `${path}/cancel`, { cancelled_reason: 'Too late' });
}

const DRAFTS_EACH = 8;

async function drafts() {
  for (let n = 0; n < DRAFTS_EACH; n += 1)
    await must('POST', '/v1/transaction', { name: 'Draft', notification_endpoint: receiver });
}

const token = transactions > 0 ? await api.upload('one') : undefined;
await Promise.all(Array.from({ length: transactions }, () => Promise.all([one(), drafts()])));
writeLine({ done: true });

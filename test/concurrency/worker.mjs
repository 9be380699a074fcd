// One of many processes on one store: opens it together with the others, takes transactions of its own through their life, then
// competes for those of all processes. Each answer is reported to the parent.
//   node worker.mjs FOLDER {"number": 3, "own": 4, "attaches": 4}
import {
  apiOf,
  fieldsBody,
  fromParent,
  openService,
  updateBody,
  writeLine,
} from '../support/processes/service-in-child.mjs';

const [folder, instructions] = process.argv.slice(2);
const { number, own, attaches } = JSON.parse(instructions);
const parent = fromParent();

writeLine({ ready: true });
await parent.next();
const service = await openService(folder);
const api = apiOf(service);
writeLine({ opened: { origin: service.origin, token: service.ownToken } });

async function tell(op, id, { status, body }) {
  writeLine({ op, id: id ?? body.id, status, code: body.code, detail: body.detail });
  return body;
}

const post = async (op, id, path, body) => tell(op, id, await api.send('POST', path, body));
const put = async (op, id, path, body) => tell(op, id, await api.send('PUT', path, body));

const fileToken = await api.upload(`process-${number}`);

/** @returns a transaction that waits for its only recipient */
async function started(name) {
  const { id } = await post('create', undefined, '/v1/transaction', { name });
  const path = `/v1/transaction/${id}`;
  await post('attach', id, `${path}/document`, { token: fileToken });
  await put('update', id, path, updateBody((await api.get(path)).body, name, 1));
  await put('fields', id, `${path}/fields`, fieldsBody((await api.get(path)).body));
  await put('start', id, `${path}/start`);
  return id;
}

const sign = (id) => post('sign', id, `/_sandbox/transaction/${id}/sign`, {});
const cancel = (id) =>
  put('cancel', id, `/v1/transaction/${id}/cancel`, { cancelled_reason: `By ${number}` });

for (let count = 0; count < own; count += 1) {
  const id = await started(`process ${number} number ${count}`);
  await (count % 2 === 0 ? sign(id) : cancel(id));
}
writeLine({ contested: await started(`contested of ${number}`) });

const { contested, draft } = await parent.next();
for (const id of contested) await (number % 2 === 0 ? sign(id) : cancel(id));
for (let count = 0; count < attaches; count += 1)
  await post('attach', draft, `/v1/transaction/${draft}/document`, { token: fileToken });
await service.close();
parent.end();

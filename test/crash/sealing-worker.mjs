// Signs as the last recipient and is killed on the way, before the file operation with this number.
//   node sealing-worker.mjs FOLDER TRANSACTION NUMBER
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { apiOf, openService, writeLine } from '../support/processes/service-in-child.mjs';

const [folder, id, number] = process.argv.slice(2);
const service = await openService(folder);
const api = apiOf(service);
// Loads and opens what every request needs.
await api.get(`/v1/transaction/${id}`);

let steps = [];
function step(name) {
  steps.push(name);
  if (steps.length !== Number(number)) return;
  writeLine({ killedBefore: name });
  process.kill(process.pid, 'SIGKILL');
}
for (const name of ['open', 'rename', 'mkdir', 'rm', 'readFile', 'readdir', 'stat']) {
  const original = fs[name];
  fs[name] = (...words) => {
    step(name);
    return original(...words);
  };
}
syncBuiltinESMExports();
const probe = await fs.open(new URL(import.meta.url), 'r');
const { sync } = Object.getPrototypeOf(probe);
Object.getPrototypeOf(probe).sync = function counted() {
  step('sync');
  return sync.call(this);
};
await probe.close();
steps = [];

const { status, body } = await api.send('POST', `/_sandbox/transaction/${id}/sign`, {});
writeLine({ answered: status, body, steps });
await service.close();

// Takes the last signature on a signing page, answers that it is being processed, and is killed while it seals.
//   node waiting-signer-worker.mjs FOLDER FORM WHEN OPERATION NUMBER
// FORM is what the page sends. WHEN is `before` or `after` the operation on a file that is not a blob yet: `open 2` begins the second one.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { openService, writeLine } from '../support/processes/service-in-child.mjs';

const [folder, form, when, operation, number] = process.argv.slice(2);
const { action, cookie, fields } = JSON.parse(form);
const service = await openService(folder, { pageWaitMs: 0 });

let toldToWait = () => {};
const isTold = new Promise((resolve) => {
  toldToWait = resolve;
});
let count = 0;
const original = fs[operation];
fs[operation] = async (path, ...words) => {
  if (!String(path).endsWith('.tmp') || (operation === 'open' && words[0] !== 'wx'))
    return original(path, ...words);
  count += 1;
  if (count !== Number(number)) return original(path, ...words);
  if (when === 'after') await original(path, ...words);
  await isTold;
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
};
syncBuiltinESMExports();

const response = await service.fetch(
  new Request(service.origin + action, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      cookie,
      origin: service.origin,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(fields),
  }),
);
writeLine({ answered: response.status, location: response.headers.get('location') });
toldToWait();
await service.waitUntilSettled();
writeLine({ settled: true });
await service.close();

// Makes the calls of the row `post` without HTTP, to the built service in this process, 32 at a time. Prints calls a second.
// Runs as a child: node in-process.js FOLDER SECONDS
import { createService } from '../../dist/service.js';

const [folder, seconds] = process.argv.slice(2);
const CALLS_AT_ONCE = 32;
const WARM_MS = 1000;
const service = await createService({ dataDir: folder });
const headers = { authorization: `Bearer ${service.ownToken}`, 'content-type': 'application/json' };
const call = {
  method: 'POST',
  url: `${service.origin}/v1/transaction`,
  headers,
  body: '{"name":"Agreement"}',
};

/** @returns calls a second */
async function callsFor(ms) {
  const startedAt = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: CALLS_AT_ONCE }, async () => {
      while (performance.now() - startedAt < ms) {
        const { status } = await service.transport(call);
        if (status !== 201) throw new Error(`answered ${status}`);
        done += 1;
      }
    }),
  );
  return (done / (performance.now() - startedAt)) * 1000;
}

await callsFor(WARM_MS);
process.stdout.write(String(await callsFor(Number(seconds) * 1000)));
await service.close();

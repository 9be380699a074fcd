// Starts the built service on a free port, and prints its address and secrets as JSON. ESIGN_BENCH_FILL fills the store first.
import { createService, serve } from '../../dist/service.js';

const service = await createService({ dataDir: process.argv[2] });
const ids = await fill(Number(process.env.ESIGN_BENCH_FILL ?? 0));
const serving = await serve(service, { host: '127.0.0.1', port: 0 });
const facts = { url: serving.url, token: service.ownToken, control: service.controlSecret, ids };
process.stdout.write(`${JSON.stringify(facts)}\n`);
process.once('SIGTERM', async () => {
  await serving.close();
  await service.close();
});

/** @returns up to two thousand of the ids */
async function fill(count) {
  const made = [];
  const headers = { authorization: `Bearer ${service.ownToken}`, 'content-type': 'application/json' };
  const create = async () => {
    const reply = await service.transport({
      method: 'POST',
      url: `${service.origin}/v1/transaction`,
      headers,
      body: '{"name":"Agreement"}',
    });
    return JSON.parse(reply.body).id;
  };
  while (made.length < count)
    made.push(...(await Promise.all(Array.from({ length: Math.min(50, count) }, create))));
  return made.filter((_, index) => index % Math.ceil(count / 2000) === 0);
}

// One of several processes that exchange the same code at the same moment.
//   node exchange-worker.mjs FOLDER {"times": 16}
import { apiOf, fromParent, openService, writeLine } from '../support/processes/service-in-child.mjs';

const [folder, instructions] = process.argv.slice(2);
const { times } = JSON.parse(instructions);
const parent = fromParent();
const service = await openService(folder);
const api = apiOf(service);
writeLine({ ready: true });

for (;;) {
  const { round, exchange } = await parent.next();
  if (!exchange) break;
  const answers = await Promise.all(
    Array.from({ length: times }, () => api.send('POST', '/v1/oauth/exchange/code', exchange)),
  );
  writeLine({
    round,
    answers: answers.map(({ status, body }) => ({
      status,
      code: body.code,
      access_token: body.access_token,
    })),
  });
}
await service.close();
parent.end();

// One of several processes that open the same store at the same moment, write into it, and close it at once.
import { apiOf, fromParent, openService, writeLine } from '../support/processes/service-in-child.mjs';

const parent = fromParent();
writeLine({ ready: true });

for (;;) {
  const { round, folder } = await parent.next();
  if (!folder) break;
  try {
    const service = await openService(folder);
    const { status } = await apiOf(service).send('POST', '/v1/transaction', { name: 'First' });
    await service.close();
    writeLine({ round, origin: service.origin, token: service.ownToken, status });
  } catch (error) {
    writeLine({ round, failed: String(error?.stack ?? error) });
  }
}
parent.end();

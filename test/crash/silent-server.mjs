// Serves a store until it is killed.
//   node silent-server.mjs FOLDER
import { serve } from '../../dist/service.js';
import { openService, writeLine } from '../support/processes/service-in-child.mjs';

const [folder] = process.argv.slice(2);
const service = await openService(folder);
await serve(service, { host: '127.0.0.1', port: 0, office: 'off' });
writeLine({ open: true });

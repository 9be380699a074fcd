// Serves, with node:http, the answer that it reads from stdin: `{ "headers": { … }, "body": "…" }`.
import { createServer } from 'node:http';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { headers, body } = JSON.parse(Buffer.concat(chunks).toString());
const bytes = Buffer.from(body);
const server = createServer((_, response) => {
  response.writeHead(200, headers);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));

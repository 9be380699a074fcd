// Runs the built program many times in one process, one line of JSON {args, env} after another: starting node each
// time would take most of the time. Answers each with {code, out, err}.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const { start } = createRequire(import.meta.url)(process.argv[2]);
const write = process.stdout.write.bind(process.stdout);
const base = { ...process.env };
process.setMaxListeners(0);
process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);

let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { args, env } = JSON.parse(line);
  const said = { out: '', err: '' };
  const into = (name) => (text) => {
    said[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
    return true;
  };
  process.stdout.write = into('out');
  process.stderr.write = into('err');
  process.env = { ...base, ...env };
  process.argv = [process.argv[0], 'esign', ...args];
  process.exitCode = undefined;
  count += 1;
  await start(args);
  write(`${JSON.stringify({ run: count, code: process.exitCode ?? 0, ...said })}\n`);
  process.exitCode = 0;
}

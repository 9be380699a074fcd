// Runs many command lines in one process, each through the built program as if it had been started for it: a start costs
// ten times as much as most commands. Reads JSON lines `{words, folder, env}` on stdin; the output of a line is on stdout
// and stderr between marks, and its exit code in the closing mark.
import { createInterface } from 'node:readline';
import start from '../../../dist/start.cjs';

process.setMaxListeners(0);
process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);

for await (const line of createInterface({ input: process.stdin })) {
  const { words, folder, env } = JSON.parse(line);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(folder);
  process.argv = [process.execPath, 'esign', ...words];
  process.exitCode = 0;
  await start.start(words);
  process.stderr.write('\u001e\u001e');
  process.stdout.write(`\u001e${process.exitCode}\u001e`);
}
process.exitCode = 0;

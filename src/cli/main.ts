// The process edge. `--version` is answered before anything is imported; everything else is behind one import.
import { writeSync } from 'node:fs';
import module from 'node:module';

declare const __ESIGN_VERSION__: string;

/** Not in the types of the oldest Node we run on. */
const enableCompileCache: unknown = Reflect.get(module, 'enableCompileCache');

const [, , ...words] = process.argv;

if (words[0] === '--version' || words[0] === '-V') printVersion();
else {
  // Node 22.8 and later keep the compiled code.
  if (typeof enableCompileCache === 'function') enableCompileCache();
  const { run } = await import('./run.ts');
  await run(words, __ESIGN_VERSION__);
}

function printVersion(): void {
  try {
    writeSync(1, `${__ESIGN_VERSION__}\n`);
  } catch {
    // Nobody reads it any more.
  }
}

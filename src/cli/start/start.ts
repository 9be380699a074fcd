// Starts the program that the build made, with the compiled code that an earlier run kept, and keeps some in turn. What
// goes wrong with that code is never an error: the program then runs without it. It must stay small and load little: all
// of it is paid for at each call.
import { homedir } from 'node:os';
import { pathsOf } from '../../config/paths.ts';
import type { Program } from '../main.ts';
import { type Bundles, openBundles } from './bundles.ts';
import { type CodeCache, openCodeCache } from './code-cache.ts';
import { isWorthKeeping } from './worth-keeping.ts';

let bundles: Bundles | undefined;

/** May be called again in the same process: each call is a run of its own. */
export async function start(words: readonly string[]): Promise<void> {
  bundles ??= openBundles({ folder: __dirname, requireOther: require, codeCache: codeCache() });
  const { program } = bundles.load('main.cjs') as { program: Program };
  await program.run(words);
  if (process.exitCode || process.uptime() > LONG_S) return;
  const command = program.commandIn(words);
  bundles.keep(command, (learned, run) => isWorthKeeping(learned, command, run));
}

/** V8 drops the code of functions that were not called for a while: a long run would keep less than there was. */
const LONG_S = 20;

function codeCache(): CodeCache | undefined {
  if (process.env.ESIGN_NO_CODE_CACHE) return undefined;
  try {
    const environment = { variables: process.env, homeDir: homedir(), workingDir: process.cwd() };
    return openCodeCache(pathsOf(environment).codeDir, process);
  } catch {
    // There is no home, or no working directory any more: the program itself says so where it matters.
    return undefined;
  }
}

if (require.main === module) void start(process.argv.slice(2));

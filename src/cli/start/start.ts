// Starts the built program with the compiled code that an earlier run has cached, and caches code itself. An error of the
// cache is ignored: the program then runs without it. This file must stay small and load little, because every call pays
// for it.
import { homedir } from 'node:os';
import { pathsOf } from '../../config/environment.ts';
import type { Program } from '../main.ts';
import { type Bundles, openBundles } from './bundles.ts';
import { type CodeCache, isWorthKeeping, openCodeCache } from './code-cache.ts';

let bundles: Bundles | undefined;

/** Runs the program. It may be called again in the same process for another run. */
export async function start(words: readonly string[]): Promise<void> {
  bundles ??= openBundles({ folder: __dirname, requireOther: require, openCache: codeCache() });
  const { program } = bundles.load('main.cjs') as { program: Program };
  await program.run(words);
  if (process.exitCode || process.uptime() > LONG_S) return;
  const command = program.commandIn(words);
  bundles.keep(command, (learned, run) => isWorthKeeping(learned, command, run));
}

/** V8 drops the code of functions that were not called for a while, so a long run would cache less than before. */
const LONG_S = 20;

function codeCache(): CodeCache | undefined {
  if (process.env.ESIGN_NO_CODE_CACHE) return undefined;
  try {
    const environment = { variables: process.env, homeDir: homedir(), workingDir: process.cwd() };
    return openCodeCache(pathsOf(environment).codeDir, process);
  } catch {
    // There is no home, or no working directory any more. The program itself reports it where it matters.
    return undefined;
  }
}

if (require.main === module) void start(process.argv.slice(2));

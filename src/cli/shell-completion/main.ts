// Runs `esign __complete SHELL`, which the scripts of the shells call at each TAB. It asks no questions, writes nothing on
// stderr and always exits with 0; it must load nothing but what is bundled with it.
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvironment } from '../../config/environment.ts';
import { answerShell, SHELLS } from './answer.ts';
import { createKnownOffers } from './complete.ts';
import type { CompletionData } from './words.ts';

const [, , , asked = ''] = process.argv;
const shell = SHELLS.find((name) => name === asked);
if (shell) void say(shell);

async function say(to: (typeof SHELLS)[number]): Promise<void> {
  try {
    const data = JSON.parse(readFileSync(join(__dirname, 'completion.json'), 'utf8')) as CompletionData;
    writeSync(1, await answerShell(to, process.env, data, createKnownOffers(readEnvironment)));
  } catch {
    // Nothing is offered.
  }
}

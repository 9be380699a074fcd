// Frees memory between two steps of work on a picture. The decoded picture and the library that decoded it are
// garbage once it was scaled down, and the process is ended when both still count while the next step makes room.
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** Collects garbage, so that memory that the caller does not use afterwards is free. */
export async function giveMemoryBack(): Promise<void> {
  // The functions that called this one must have left the stack: they hold what they were given.
  await setImmediate();
  collect ??= collector();
  collect();
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

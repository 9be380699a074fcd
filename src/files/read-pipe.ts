// Reads a pipe that the shell opened for a command, without waiting in a thread that no signal ends.
import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { FileTooLargeError } from './file-errors.ts';

/** Reads a pipe to its end. @throws FileTooLargeError, the reason of the signal, or the system's error */
export async function readPipe(
  path: string,
  { mostBytes, signal }: { mostBytes: number; signal?: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> {
  // Opening it would wait for another writer where the first has ended already.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const pipe = new Socket({ fd, readable: true, writable: false });
  if (signal) addAbortSignal(signal, pipe);
  const read: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of pipe as AsyncIterable<Uint8Array>) {
      sizeBytes += chunk.length;
      if (sizeBytes > mostBytes) throw new FileTooLargeError(path, undefined);
      read.push(chunk);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    pipe.destroy();
  }
  return new Uint8Array(Buffer.concat(read));
}

// The beginning of a file that somebody names: a device, or a file without end, is read no further.
import { open } from 'node:fs/promises';

/** Throws the system's error. */
export async function readUpTo(path: string, longestBytes: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(longestBytes), 0, longestBytes);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

// Writes archives of a few files: always the same bytes for the same files, so that a release can be made again and compared.
import { zipSync } from 'fflate';

/** Zip has no earlier date, and the date of a file says nothing here. */
const DATE = new Date(1980, 0, 1);
const BLOCK = 512;

/** @param files each has `name`, `bytes` and `isProgram` */
export function tarOf(files) {
  const pieces = files.flatMap(({ name, bytes, isProgram }) => [
    headerOf(name, bytes.length, isProgram ? 0o755 : 0o644),
    bytes,
    Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...pieces, Buffer.alloc(2 * BLOCK)]);
}

/** The header of POSIX ustar. */
function headerOf(name, size, mode) {
  const header = Buffer.alloc(BLOCK);
  const octal = (value, length) => value.toString(8).padStart(length - 1, '0');
  header.write(name, 0, 100);
  header.write(octal(mode, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(0, 12), 136);
  // The sum counts its own place as blanks.
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)}\u0000 `, 148);
  return header;
}

export const zipOf = (files) =>
  zipSync(Object.fromEntries(files.map(({ name, bytes }) => [name, bytes])), { level: 9, mtime: DATE });

// Wraps bytes so that the files of this folder can search them. It must never copy them.

/** A view on the same bytes that can be searched and read as numbers. */
export function searchable(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

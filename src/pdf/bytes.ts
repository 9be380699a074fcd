// How the files of this room look at bytes. It must never copy them.

/** A view on the same bytes that can be searched and read as numbers. */
export function searchable(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

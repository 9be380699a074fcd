// Encodes and decodes messages on the pipe between a process and its child: the lengths of both parts, JSON, then bytes. Both ends have
// to be of one build, because messages have no other version.

export type MessageFrame = { message: unknown; bytes: Uint8Array };

declare const __ESIGN_BUILD__: string;

/** It is a hash of all source files, or empty where the sources run as they are, in tests. */
export const BUILD: string = __ESIGN_BUILD__;

const HEAD_BYTES = 8;

/** The frame stays in pieces, so that the bytes of a file are not copied. */
export function frameOf(message: unknown, bytes: Uint8Array = new Uint8Array()): Uint8Array[] {
  const text = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(text.length, 0);
  head.writeUInt32LE(bytes.length, 4);
  return [head, text, bytes];
}

/** Puts frames together from the pieces in which a stream gives them. */
export function collectFrames(onFrame: (frame: MessageFrame) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let have = 0;
  let wanted = HEAD_BYTES;
  return (piece) => {
    pieces.push(piece);
    have += piece.length;
    while (have >= wanted) {
      const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      pieces = [all];
      const [textBytes, fileBytes] = [all.readUInt32LE(0), all.readUInt32LE(4)];
      wanted = HEAD_BYTES + textBytes + fileBytes;
      if (have < wanted) return;
      const bytesAt = HEAD_BYTES + textBytes;
      const message: unknown = JSON.parse(all.toString('utf8', HEAD_BYTES, bytesAt));
      have -= wanted;
      // Nothing else holds the memory of the last frame, so that its reader may hand it on.
      pieces = have === 0 ? [] : [all.subarray(wanted)];
      onFrame({ message, bytes: all.subarray(bytesAt, wanted) });
      wanted = HEAD_BYTES;
    }
  };
}

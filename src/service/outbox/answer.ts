// Reads the answer of a receiver to one POST (RFC 9112), as its bytes come in. The receiver may be hostile: sizes are limited,
// and after anything unusual the connection is not used again. It decides nothing about success.
import { LIMITS } from '../../api/contract/limits.ts';

export type AnswerHead = {
  status: number;
  retryAfter: string | undefined;
  location: string | undefined;
};

export type AnswerProgress =
  | 'more'
  /** The answer is complete. */
  | 'done'
  /** The reader wants no more of it, or cannot understand it any further. The connection has to be closed. */
  | 'enough';

export type AnswerReader = {
  take(chunk: Buffer): AnswerProgress;
  /** The head is undefined until all headers are there. */
  readonly head: AnswerHead | undefined;
  /** The reason why this is no answer is the end of a sentence. */
  readonly broken: string | undefined;
  /** Another request may follow on the same connection. */
  readonly isReusable: boolean;
  /** Returns the beginning of the body. */
  body(): Buffer;
};

type Body = (chunk: Buffer) => { progress: AnswerProgress; rest: number };

export function createAnswerReader(): AnswerReader {
  let waiting: Buffer = NOTHING;
  let headBytes = 0;
  let bodyBytes = 0;
  let head: (AnswerHead & Framing) | undefined;
  let broken: string | undefined;
  let isReusable = false;
  let readBody: Body | undefined;
  const pieces: Buffer[] = [];
  let keptBytes = 0;

  const keep = (part: Buffer): void => {
    if (keptBytes < KEPT_BYTES) pieces.push(part);
    keptBytes += part.length;
  };
  const fail = (why: string): AnswerProgress => {
    broken = why;
    return 'enough';
  };

  function takeHead(chunk: Buffer): AnswerProgress {
    const before = waiting.length;
    waiting = before === 0 ? chunk : Buffer.concat([waiting, chunk]);
    const end = endOfHead(waiting, Math.max(0, before - 3));
    if (headBytes + (end ?? waiting.length) > LIMITS.deliveryHeadBytes)
      return fail(`its response has more than ${LIMITS.deliveryHeadBytes} bytes of headers`);
    if (end === undefined) return startsLikeHttp(waiting) ? 'more' : fail('its response is not HTTP/1.1');
    const rest = waiting.subarray(end);
    const read = readHead(waiting.toString('latin1', 0, end));
    headBytes += end;
    waiting = NOTHING;
    if (!read || read.status === 101) return fail('its response is not HTTP/1.1');
    // This is an interim answer, and the real one follows.
    if (read.status < 200) return rest.length > 0 ? takeHead(rest) : 'more';
    head = read;
    readBody = bodyOf(read, keep);
    return takeBody(rest);
  }

  function takeBody(chunk: Buffer): AnswerProgress {
    bodyBytes += chunk.length;
    const { progress, rest } = readBody!(chunk);
    if (progress === 'done') isReusable = head!.staysOpen && rest === 0;
    else if (bodyBytes > LIMITS.deliveryAnswerBytes) return 'enough';
    return progress;
  }

  return {
    take: (chunk) => (head ? takeBody(chunk) : takeHead(chunk)),
    get head() {
      return head;
    },
    get broken() {
      return broken;
    },
    get isReusable() {
      return isReusable;
    },
    body: () => (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)).subarray(0, KEPT_BYTES),
  };
}

const NOTHING = Buffer.alloc(0);

/** So many bytes are enough for the characters that are shown. */
const KEPT_BYTES = 4 * LIMITS.deliveryAnswerShown;

// --- Head ---

const LF = 10;
const CR = 13;

/** Counts the bytes up to and with the empty line. Lines may end without CR, as small programs write them. */
function endOfHead(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return undefined;
}

const PROTOCOL = 'HTTP/1.';

const startsLikeHttp = (bytes: Buffer): boolean =>
  PROTOCOL.startsWith(bytes.toString('latin1', 0, Math.min(bytes.length, PROTOCOL.length)));

type Framing = {
  /** The length counts bytes of the body, and is undefined when the end is stated in another way. */
  length: number | undefined;
  isChunked: boolean;
  staysOpen: boolean;
};

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [^\r]*)?\r?$/;
const FIELD_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const LENGTH = /^\d{1,15}$/;

function readHead(text: string): (AnswerHead & Framing) | undefined {
  const lines = text.split('\n');
  const start = STATUS_LINE.exec(lines[0] ?? '');
  if (!start) return undefined;
  const status = Number(start[2]);
  const values = new Map<string, string>();
  let isPlain = start[1] === '1';
  for (let index = 1; index < lines.length - 2; index += 1) {
    const line = lines[index]!;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon < 0 || !FIELD_NAME.test(name) || !line.endsWith('\r')) isPlain = false;
    if (!KNOWN.has(name)) continue;
    // Where a field comes twice, nothing tells which of them the receiver means.
    if (values.has(name)) isPlain = false;
    values.set(name, line.slice(colon + 1).trim());
  }
  const encoding = values.get('transfer-encoding')?.toLowerCase();
  const statedLength = values.get('content-length');
  const isBare = status === 204 || status === 304;
  const length = statedLength !== undefined && LENGTH.test(statedLength) ? Number(statedLength) : undefined;
  const isChunked = encoding === 'chunked';
  const isKnown =
    isBare || (encoding === undefined ? length !== undefined : isChunked && statedLength === undefined);
  return {
    status,
    retryAfter: values.get('retry-after'),
    location: values.get('location'),
    length: isBare ? 0 : encoding === undefined ? length : undefined,
    isChunked: isChunked && !isBare,
    staysOpen: isPlain && isKnown && !/close/i.test(values.get('connection') ?? ''),
  };
}

const KNOWN = new Set(['connection', 'content-length', 'location', 'retry-after', 'transfer-encoding']);

// --- Body ---

function bodyOf({ length, isChunked }: Framing, keep: (part: Buffer) => void): Body {
  if (isChunked) return chunkedBody(keep);
  let remaining = length ?? Number.POSITIVE_INFINITY;
  return (chunk) => {
    if (chunk.length > 0) keep(chunk.length > remaining ? chunk.subarray(0, remaining) : chunk);
    const rest = chunk.length - remaining;
    remaining -= chunk.length;
    return remaining > 0 ? { progress: 'more', rest: 0 } : { progress: 'done', rest };
  };
}

const SIZE_LINE = /^([\da-f]{1,8})[ \t]*(?:;.*)?\r?$/i;
const LINE_BYTES = 1024;

/** Reads a body in chunks (RFC 9112 §7.1), and passes over extensions and trailers. */
function chunkedBody(keep: (part: Buffer) => void): Body {
  let line = '';
  let remaining = 0;
  let reads: 'size' | 'data' | 'end of data' | 'trailers' = 'size';

  /** @returns whether the body is at its end; undefined when it cannot be understood */
  function endLine(): boolean | undefined {
    const text = line;
    line = '';
    if (reads === 'trailers') return text === '' || text === '\r';
    if (reads === 'end of data') {
      reads = 'size';
      return text === '' || text === '\r' ? false : undefined;
    }
    const size = SIZE_LINE.exec(text)?.[1];
    if (size === undefined) return undefined;
    remaining = Number.parseInt(size, 16);
    reads = remaining === 0 ? 'trailers' : 'data';
    return false;
  }

  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (reads === 'data') {
        const part = chunk.subarray(at, at + remaining);
        keep(part);
        at += part.length;
        remaining -= part.length;
        if (remaining === 0) reads = 'end of data';
        continue;
      }
      const end = chunk.indexOf(LF, at);
      line += chunk.toString('latin1', at, end < 0 ? chunk.length : end);
      if (line.length > LINE_BYTES) return { progress: 'enough', rest: 0 };
      if (end < 0) break;
      at = end + 1;
      const isEnd = endLine();
      if (isEnd === undefined) return { progress: 'enough', rest: 0 };
      if (isEnd) return { progress: 'done', rest: chunk.length - at };
    }
    return { progress: 'more', rest: 0 };
  };
}

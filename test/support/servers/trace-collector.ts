// Receives spans as a collector of OpenTelemetry does: OTLP over HTTP, as protobuf (opentelemetry/proto/trace/v1/trace.proto).
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type CollectedSpan = {
  traceId: string;
  spanId: string;
  parentId: string;
  name: string;
  kind: number;
  attributes: Record<string, string | number>;
  /** Of the process. */
  resource: Record<string, string | number>;
  isError: boolean;
};

export type TraceCollector = {
  url: string;
  spans: CollectedSpan[];
  /** All bytes that were received. */
  bytes(): Buffer;
  /** The status of its answers. */
  status: number;
  close(): Promise<void>;
};

export async function startTraceCollector(): Promise<TraceCollector> {
  const received: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const isExpected =
      request.url === '/v1/traces' && request.headers['content-type'] === 'application/x-protobuf';
    if (isExpected && collector.status === 200) {
      received.push(body);
      collector.spans.push(...readSpans(body));
    }
    response.writeHead(isExpected ? collector.status : 415).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const collector: TraceCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    bytes: () => Buffer.concat(received),
    status: 200,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return collector;
}

/** The fields of a message: a number, or the bytes of a text or another message. */
type Fields = { number: number; value: number | Buffer }[];

function readFields(message: Buffer): Fields {
  const fields: Fields = [];
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at++];
      if (byte === undefined) throw new Error('The message is cut off.');
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = readVarint();
    const [number, type] = [tag >>> 3, tag & 7];
    if (type === 0) fields.push({ number, value: readVarint() });
    else {
      const length = type === 2 ? readVarint() : type === 1 ? 8 : 4;
      if (type > 2 && type !== 5) throw new Error(`Type ${type} is not known.`);
      fields.push({ number, value: message.subarray(at, at + length) });
      at += length;
    }
  }
  return fields;
}

const messagesIn = (fields: Fields, number: number): Buffer[] =>
  fields.filter((one) => one.number === number).map(({ value }) => value as Buffer);

const firstIn = (fields: Fields, number: number): number | Buffer | undefined =>
  fields.find((one) => one.number === number)?.value;

function readAttributes(pairs: Buffer[]): Record<string, string | number> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const fields = readFields(pair);
      const [value] = readFields(firstIn(fields, 2) as Buffer);
      return [String(firstIn(fields, 1)), Buffer.isBuffer(value?.value) ? String(value.value) : value!.value];
    }),
  );
}

function readSpans(body: Buffer): CollectedSpan[] {
  return messagesIn(readFields(body), 1).flatMap((one) => {
    const resourceSpans = readFields(one);
    const [resource] = messagesIn(resourceSpans, 1);
    const described = readAttributes(messagesIn(readFields(resource!), 1));
    return messagesIn(resourceSpans, 2)
      .flatMap((scope) => messagesIn(readFields(scope), 2))
      .map((span) => ({ ...readSpan(readFields(span)), resource: described }));
  });
}

function readSpan(fields: Fields): Omit<CollectedSpan, 'resource'> {
  const hex = (number: number) =>
    ((firstIn(fields, number) as Buffer | undefined) ?? Buffer.alloc(0)).toString('hex');
  const status = firstIn(fields, 15) as Buffer | undefined;
  return {
    traceId: hex(1),
    spanId: hex(2),
    parentId: hex(4),
    name: String(firstIn(fields, 5)),
    kind: firstIn(fields, 6) as number,
    attributes: readAttributes(messagesIn(fields, 9)),
    isError: status !== undefined && firstIn(readFields(status), 3) === 2,
  };
}

// Names and their addresses, from a name server that answers as a test wants.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { resolverOfMachine } from '../../../src/service/outbox/open-connection.ts';
import { SLOW } from '../../support/tier.ts';

const A = 1;
const AAAA = 28;

/** What it knows of a name and a kind of record: addresses as bytes; `unknown`: that there is no such name; nothing: silence. */
type Zone = (name: string, kind: number) => Buffer[] | 'unknown' | undefined;

async function nameServer(zone: Zone): Promise<string> {
  const server = createSocket('udp4');
  onTestFinished(() => void server.close());
  server.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (; query[at]; at += 1 + query[at]!)
      labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
    const question = query.subarray(12, at + 5);
    const kind = query.readUInt16BE(at + 1);
    const known = zone(labels.join('.'), kind);
    if (known === undefined) return;
    const records = known === 'unknown' ? [] : known;
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(known === 'unknown' ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    const answers = records.map((bytes) =>
      Buffer.concat([Buffer.from([0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 0, 0, bytes.length]), bytes]),
    );
    server.send(Buffer.concat([head, question, ...answers]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const resolver = async (zone: Zone, timeoutMs = 5000) =>
  resolverOfMachine({ servers: [await nameServer(zone)], timeoutMs });

const FOUR = Buffer.from([93, 184, 216, 34]);
const SIX = Buffer.from('26064700000000000000000000001111', 'hex');

test('all addresses of a name are found, of both families', async () => {
  const resolve = await resolver((_, kind) => (kind === A ? [FOUR, Buffer.from([10, 0, 0, 1])] : [SIX]));
  expect(await resolve('hooks.example.com')).toEqual(['93.184.216.34', '10.0.0.1', '2606:4700::1111']);
});

test('a name with addresses of one family is found', async () => {
  const resolve = await resolver((_, kind) => (kind === AAAA ? [] : [FOUR]));
  expect(await resolve('hooks.example.com')).toEqual(['93.184.216.34']);
});

test.skipIf(!SLOW)(
  'a name whose servers are silent is not found, and the machine is not asked about it',
  async () => {
    const resolve = await resolver(() => undefined, 50);
    await expect(resolve('localhost')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  },
);

test('a name that name servers do not know may be known to the machine', async () => {
  const resolve = await resolver(() => 'unknown');
  const found = await resolve('localhost');
  expect(found.length).toBeGreaterThan(0);
  expect(found.every((address) => ['127.0.0.1', '::1'].includes(address))).toBe(true);
});

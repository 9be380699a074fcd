import { expect, onTestFinished, test } from 'vitest';
import { LIMITS } from '../../../src/api/contract/limits.ts';
import { createIdleConnections, type EndpointConnection } from '../../../src/service/outbox/connection.ts';

type Fake = EndpointConnection & { isUsable: boolean; isClosed: boolean };

/** @param agoMs when it was last used, and opened */
function connection(ago: { usedAgoMs?: number; openedAgoMs?: number } = {}): Fake {
  const { usedAgoMs = 0, openedAgoMs = usedAgoMs } = ago;
  const now = performance.now();
  return {
    ask: () => Promise.reject(new Error('not asked')),
    wasUsed: true,
    isUsable: true,
    isClosed: false,
    openedMs: now - openedAgoMs,
    usedMs: now - usedAgoMs,
    close() {
      this.isClosed = true;
    },
  };
}

function idle() {
  const connections = createIdleConnections();
  onTestFinished(() => connections.close());
  return connections;
}

test('gives out the one that was used last, to the same receiver only', () => {
  const connections = idle();
  const [first, second] = [connection(), connection()];
  connections.keep('a', first);
  connections.keep('a', second);
  expect(connections.take('b')).toBeUndefined();
  expect([connections.take('a'), connections.take('a'), connections.take('a')]).toEqual([
    second,
    first,
    undefined,
  ]);
});

test('closes what has been idle or open for too long, and what was closed by the receiver', () => {
  const connections = idle();
  const good = connection();
  const bad = [
    connection({ usedAgoMs: LIMITS.idleConnectionMs + 1 }),
    connection({ openedAgoMs: LIMITS.connectionLifetimeMs + 1 }),
    Object.assign(connection(), { isUsable: false }),
  ];
  for (const each of [good, ...bad]) connections.keep('a', each);
  expect(connections.take('a')).toBe(good);
  expect(bad.map(({ isClosed }) => isClosed)).toEqual([true, true, true]);
  expect(good.isClosed).toBe(false);
});

test('keeps a limited number for a receiver, and none after its end', () => {
  const connections = idle();
  const many = Array.from({ length: LIMITS.idleConnectionsPerReceiver + 1 }, () => connection());
  for (const each of many) connections.keep('a', each);
  expect(many.map(({ isClosed }) => isClosed).indexOf(true)).toBe(LIMITS.idleConnectionsPerReceiver);
  connections.close();
  expect(many.every(({ isClosed }) => isClosed)).toBe(true);
  const late = connection();
  connections.keep('a', late);
  expect([late.isClosed, connections.take('a')]).toEqual([true, undefined]);
});

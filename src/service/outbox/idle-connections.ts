// Keeps connections that wait for the next request to the same receiver, the last used one first. A connection that the other
// side may be about to close is not given out.
import { LIMITS } from '../../api/contract/limits.ts';
import type { EndpointConnection } from './connection.ts';

export type IdleConnections = {
  take(key: string): EndpointConnection | undefined;
  keep(key: string, connection: EndpointConnection): void;
  close(): void;
};

export function createIdleConnections(): IdleConnections {
  const waiting = new Map<string, EndpointConnection[]>();
  let isClosed = false;
  let sweeping: NodeJS.Timeout | undefined;

  function sweep(): void {
    const now = performance.now();
    for (const [key, connections] of waiting) {
      const good = connections.filter((each) => isGood(each, now));
      for (const each of connections) if (!good.includes(each)) each.close();
      if (good.length > 0) waiting.set(key, good);
      else waiting.delete(key);
    }
    if (waiting.size === 0) stopSweeping();
  }
  const stopSweeping = (): void => {
    clearInterval(sweeping);
    sweeping = undefined;
  };

  return {
    take(key) {
      const connections = waiting.get(key);
      const now = performance.now();
      for (let last = connections?.pop(); last; last = connections?.pop()) {
        if (isGood(last, now)) return last;
        last.close();
      }
      return undefined;
    },
    keep(key, connection) {
      const connections = waiting.get(key) ?? [];
      if (isClosed || connections.length >= LIMITS.idleConnectionsPerReceiver) return connection.close();
      connections.push(connection);
      waiting.set(key, connections);
      sweeping ??= setInterval(sweep, LIMITS.idleConnectionMs / 4).unref();
    },
    close() {
      isClosed = true;
      stopSweeping();
      for (const connections of waiting.values()) for (const each of connections) each.close();
      waiting.clear();
    },
  };
}

const isGood = ({ isUsable, usedMs, openedMs }: EndpointConnection, now: number): boolean =>
  isUsable && now - usedMs < LIMITS.idleConnectionMs && now - openedMs < LIMITS.connectionLifetimeMs;

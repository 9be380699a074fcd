// Limits the bodies that are being received into memory: all together, and those of one client. A client that sends a part of a
// body and then nothing would hold memory as long as the connection lasts.
import { LIMITS } from '../../api/contract/limits.ts';

export type BodyBudget = {
  /** @param onRefused called once when the body is dropped: nothing more of it is received */
  receive(client: string, onRefused: () => void): ReceivedBody;
  /** Of bodies that are under way. */
  readonly bytes: number;
};

export type ReceivedBody = {
  /** Counts bytes that have come. Makes room by refusing the oldest body of the client that holds most, which may be this one. */
  add(bytes: number): void;
  /** The body is complete, or given up. */
  end(): void;
};

type Limits = { together: number; perClient: number };

type UnderWay = { client: string; bytes: number; refuse: () => void };

export function createBodyBudget({ together, perClient }: Limits): BodyBudget {
  /** In the order in which they began. */
  const underWay = new Set<UnderWay>();
  const held = new Map<string, number>();
  let total = 0;

  function count(body: UnderWay, bytes: number): void {
    const ofClient = (held.get(body.client) ?? 0) + bytes;
    if (ofClient > 0) held.set(body.client, ofClient);
    else held.delete(body.client);
    body.bytes += bytes;
    total += bytes;
  }

  function end(body: UnderWay): void {
    if (underWay.delete(body)) count(body, -body.bytes);
  }

  function refuseOldestOf(client: string): void {
    for (const body of underWay)
      if (body.client === client && body.bytes > 0) {
        end(body);
        body.refuse();
        return;
      }
  }

  const largestClient = (): string =>
    [...held].reduce((largest, one) => (one[1] > largest[1] ? one : largest))[0];

  return {
    receive(client, onRefused) {
      const body: UnderWay = { client, bytes: 0, refuse: onRefused };
      underWay.add(body);
      return {
        add(bytes) {
          if (!underWay.has(body)) return;
          count(body, bytes);
          while ((held.get(client) ?? 0) > perClient) refuseOldestOf(client);
          while (total > together) refuseOldestOf(largestClient());
        },
        end: () => end(body),
      };
    },
    get bytes() {
      return total;
    },
  };
}

/** Of this process: its memory is one. */
export const BODIES = createBodyBudget({
  together: LIMITS.bodiesBytes,
  perClient: LIMITS.bodiesOfClientBytes,
});

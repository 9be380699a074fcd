// Limits how much is sent to each endpoint at the same time: more as attempts succeed, fewer as they fail, so that an endpoint
// that does not answer delays no other. For a fast endpoint deliveries are claimed ahead.
import type { AttemptResult } from './attempt.ts';
import type { Prepared } from './prepare.ts';

/** Attempts that may be under way at one endpoint. */
const AT_ONE = { first: 8, most: 32 };

/** At all endpoints: each is a connection. */
const AT_ALL = 512;

/** Claimed beyond those, for an endpoint that answers this fast; its share of the lease is well under a second. */
const AHEAD = { most: 256, answersWithinMs: 50 };

type EndpointState = { underWay: number; allowed: number; isFast: boolean; supply: Prepared[] };

export type EndpointLimiter = ReturnType<typeof createEndpointLimiter>;

/** @param send never rejects */
export function createEndpointLimiter(send: (prepared: Prepared) => Promise<AttemptResult>) {
  const states = new Map<string, EndpointState>();
  let givenBack: Prepared[] = [];
  let underWay = 0;
  let supplied = 0;
  let lastServed = '';

  const stateAt = (endpoint: string): EndpointState =>
    states.get(endpoint) ?? { underWay: 0, allowed: AT_ONE.first, isFast: false, supply: [] };

  function roomAt(endpoint: string, claimed: number): number {
    const lane = stateAt(endpoint);
    const ahead = lane.isFast && lane.allowed === AT_ONE.most ? AHEAD.most : 0;
    const here = lane.allowed - lane.underWay - lane.supply.length;
    // What has to wait for a connection would wait longer than its claim is good for.
    return ahead + Math.min(here, AT_ALL - underWay - supplied - claimed);
  }

  function sendSome(endpoint: string, lane: EndpointState): void {
    while (lane.underWay < lane.allowed && underWay < AT_ALL) {
      const next = lane.supply.shift();
      if (!next) return;
      supplied -= 1;
      lane.underWay += 1;
      underWay += 1;
      void send(next).then((result) => finishAttempt(endpoint, lane, result));
    }
  }

  function finishAttempt(endpoint: string, lane: EndpointState, { ok, durationMs }: AttemptResult): void {
    underWay -= 1;
    lane.underWay -= 1;
    lane.allowed = ok ? Math.min(AT_ONE.most, lane.allowed + 1) : Math.max(1, Math.floor(lane.allowed / 2));
    lane.isFast = ok && durationMs <= AHEAD.answersWithinMs;
    if (!lane.isFast) giveBack(lane);
    sendSome(endpoint, lane);
    // At the limit of all, others may have waited for this one to end.
    if (underWay === AT_ALL - 1) for (const [other, waiting] of states) sendSome(other, waiting);
    // An idle endpoint that does well is forgotten: it begins again like a new one.
    if (lane.underWay === 0 && lane.supply.length === 0 && lane.allowed >= AT_ONE.first)
      states.delete(endpoint);
  }

  function giveBack(lane: EndpointState): void {
    supplied -= lane.supply.length;
    givenBack.push(...lane.supply.splice(0));
  }

  return {
    /** How many more may be claimed for it. @param claimed for others, and not added yet */
    roomAt: (endpoint: string, claimed = 0): number => Math.max(0, roomAt(endpoint, claimed)),
    hasRoom: (endpoint: string): boolean => roomAt(endpoint, 0) > 0,
    /** Beginning after the one that was served last when there was no room for all. */
    rotate(endpoints: readonly string[]): string[] {
      const start = endpoints.findIndex((endpoint) => endpoint > lastServed);
      return start <= 0 ? [...endpoints] : [...endpoints.slice(start), ...endpoints.slice(0, start)];
    },
    add(prepared: Prepared): void {
      const { endpoint } = prepared.delivery;
      const lane = stateAt(endpoint);
      states.set(endpoint, lane);
      lane.supply.push(prepared);
      supplied += 1;
      lastServed = endpoint;
      sendSome(endpoint, lane);
    },
    /** What was claimed and is not sent after all. */
    takeGivenBack(): Prepared[] {
      const taken = givenBack;
      givenBack = [];
      return taken;
    },
    /** Nothing more is sent. */
    stop(): void {
      for (const lane of states.values()) giveBack(lane);
    },
    underWay: () => underWay,
    /** Whether there is work that needs no further claim. */
    isSupplied: () => supplied > 0,
  };
}

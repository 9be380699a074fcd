// Limits how much is sent to each endpoint at the same time: more as attempts succeed, fewer as they fail, so that an endpoint
// that does not answer delays no other. For a fast endpoint deliveries are claimed ahead.
import type { AttemptResult } from './attempt.ts';
import type { Prepared } from './message.ts';

/** So many attempts may be under way at one endpoint. */
const AT_ONE = { first: 8, most: 32 };

/** So many may be under way at all endpoints together: each delivery is a connection. */
const AT_ALL = 512;

/**
 * So many deliveries are claimed beyond those for an endpoint that answers this fast; its share of the lease is well under
 * a second.
 */
const AHEAD = { most: 256, answersWithinMs: 50 };

type EndpointState = { underWay: number; allowed: number; isFast: boolean; supply: Prepared[] };

export class EndpointLimiter {
  private readonly states = new Map<string, EndpointState>();
  private givenBack: Prepared[] = [];
  private supplied = 0;
  private lastServed = '';
  /** It counts the attempts at all endpoints that have not ended. */
  underWay = 0;

  /** @param send never rejects */
  constructor(private readonly send: (prepared: Prepared) => Promise<AttemptResult>) {}

  /** @returns how many more may be claimed for it @param claimed for others, and not added yet */
  roomAt(endpoint: string, claimed = 0): number {
    const state = this.stateAt(endpoint);
    const ahead = state.isFast && state.allowed === AT_ONE.most ? AHEAD.most : 0;
    const here = state.allowed - state.underWay - state.supply.length;
    // A delivery that has to wait for a connection would wait longer than its claim is good for.
    return Math.max(0, ahead + Math.min(here, AT_ALL - this.underWay - this.supplied - claimed));
  }

  /** Puts the endpoints in order, beginning after the one that was served last when there was no room for all. */
  rotate(endpoints: readonly string[]): string[] {
    const start = endpoints.findIndex((endpoint) => endpoint > this.lastServed);
    return start <= 0 ? [...endpoints] : [...endpoints.slice(start), ...endpoints.slice(0, start)];
  }

  add(prepared: Prepared): void {
    const { endpoint } = prepared.delivery;
    const state = this.stateAt(endpoint);
    this.states.set(endpoint, state);
    state.supply.push(prepared);
    this.supplied += 1;
    this.lastServed = endpoint;
    this.sendSome(endpoint, state);
  }

  /** Forgets what was claimed and is not sent after all. */
  takeGivenBack(): Prepared[] {
    return this.givenBack.splice(0);
  }

  /** Stops sending. */
  stop(): void {
    for (const state of this.states.values()) this.giveBack(state);
  }

  /** Tells whether there is work that needs no further claim. */
  get isSupplied(): boolean {
    return this.supplied > 0;
  }

  private stateAt(endpoint: string): EndpointState {
    return this.states.get(endpoint) ?? { underWay: 0, allowed: AT_ONE.first, isFast: false, supply: [] };
  }

  private sendSome(endpoint: string, state: EndpointState): void {
    while (state.underWay < state.allowed && this.underWay < AT_ALL) {
      const next = state.supply.shift();
      if (!next) return;
      this.supplied -= 1;
      state.underWay += 1;
      this.underWay += 1;
      void this.send(next).then((result) => this.finishAttempt(endpoint, state, result));
    }
  }

  private finishAttempt(endpoint: string, state: EndpointState, { ok, durationMs }: AttemptResult): void {
    this.underWay -= 1;
    state.underWay -= 1;
    state.allowed = ok
      ? Math.min(AT_ONE.most, state.allowed + 1)
      : Math.max(1, Math.floor(state.allowed / 2));
    state.isFast = ok && durationMs <= AHEAD.answersWithinMs;
    if (!state.isFast) this.giveBack(state);
    this.sendSome(endpoint, state);
    // At the limit of all, others may have waited for this one to end.
    if (this.underWay === AT_ALL - 1)
      for (const [other, waiting] of this.states) this.sendSome(other, waiting);
    // An idle endpoint that does well is forgotten: it begins again like a new one.
    if (state.underWay === 0 && state.supply.length === 0 && state.allowed >= AT_ONE.first)
      this.states.delete(endpoint);
  }

  private giveBack(state: EndpointState): void {
    this.supplied -= state.supply.length;
    this.givenBack.push(...state.supply.splice(0));
  }
}

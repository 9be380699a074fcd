// Lets requests begin one at a time while clients connect. Node accepts one connection in each turn of the event loop: where all that is
// ready begins in each turn, the last of a hundred clients that connect at once waits until others were answered several times (decision 0035).

export type AcceptFairness = {
  /** It is called when a connection was accepted. */
  connected(): void;
  /** Calls `begin` at once, or in its turn while clients connect. */
  arrived(begin: () => void): void;
};

/**
 * After so many turns without a connection, no client is taken to wait for one. In the first turn, what came with the last
 * connection is read.
 */
const QUIET_TURNS = 2;

export function createAcceptFairness(): AcceptFairness {
  const waiting: (() => void)[] = [];
  let turnsLeft = 0;

  function takeTurn(): void {
    turnsLeft -= 1;
    if (turnsLeft > 0) setImmediate(takeTurn);
    for (const begin of waiting.splice(0, turnsLeft > 0 ? 1 : waiting.length)) begin();
  }

  return {
    connected() {
      if (turnsLeft === 0) setImmediate(takeTurn);
      turnsLeft = QUIET_TURNS;
    },
    arrived(begin) {
      if (turnsLeft > 0) waiting.push(begin);
      else begin();
    },
  };
}

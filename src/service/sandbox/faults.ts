// Tells which faults of a sandbox strike a request, or something that the service sends. They are in the store, so that
// every process that uses it counts together.
import { needsAccessToken, type Operation } from '../../api/contract/operation.ts';
import { EVERY_OPERATION, type FaultKind, faultKindRow } from '../../api/contract/sandbox/faults.ts';
import {
  isSpent,
  readFaults,
  type StoredFault,
  type Strike,
  strike,
  writeFaults,
} from '../store/sandbox/faults.ts';
import type { Store } from '../store/store.ts';

export type SandboxFaults = {
  list(): Promise<readonly StoredFault[]>;
  /** Replaces the faults, in one commit. Where `change` returns nothing, they stay. */
  change(change: (faults: readonly StoredFault[]) => readonly StoredFault[] | undefined): Promise<void>;
  /** @returns what strikes a request to this operation: any latency, and at most one other fault */
  strikeRequest(id: string, operation: Operation): Promise<readonly Strike[]>;
  /**
   * @param kinds that can happen now
   * @param subject what is sent, for the log
   * @returns what strikes it
   */
  strikeSending(kinds: readonly FaultKind[], subject: string): Promise<Strike | undefined>;
};

/** The service reports each fault that strikes something it sends, which the `subject` names. */
export type OnFault = (kind: FaultKind, subject: string) => void;

/** The cached faults are about this. */
const FAULTS = 'faults';

export function createSandboxFaults({ database }: Pick<Store, 'database'>, onFault: OnFault): SandboxFaults {
  const list = async () => {
    const { cached } = await database.cache();
    return cached(FAULTS, FAULTS, readFaults);
  };

  async function strikeWhere(canMeet: (fault: StoredFault) => boolean): Promise<readonly Strike[]> {
    // Nearly always there are none, and nothing is written.
    if (!(await list()).some((fault) => !isSpent(fault) && canMeet(fault))) return [];
    return database.write(
      async (db) => {
        const { next, strikes } = strike(await readFaults(db), canMeet);
        await writeFaults(db, next);
        return strikes;
      },
      [FAULTS],
    );
  }

  return {
    list,
    change: (change) =>
      database.write(
        async (db) => {
          const next = change(await readFaults(db));
          if (next) await writeFaults(db, next);
        },
        [FAULTS],
      ),
    strikeRequest: async (id, operation) =>
      operation.access === 'control'
        ? []
        : strikeWhere(
            (fault) =>
              faultKindRow(fault.kind).meets === 'request' &&
              (fault.operation === EVERY_OPERATION || fault.operation === id) &&
              (fault.kind !== 'expired-token' || needsAccessToken(operation.access)),
          ),
    async strikeSending(kinds, subject) {
      const [struck] = await strikeWhere(({ kind }) => kinds.includes(kind));
      if (struck) onFault(struck.kind, subject);
      return struck;
    },
  };
}

/** A service that is no sandbox has none. */
export const NO_FAULTS: SandboxFaults = {
  list: async () => [],
  change: () => Promise.reject(new Error('Only a sandbox has faults.')),
  strikeRequest: async () => [],
  strikeSending: async () => undefined,
};

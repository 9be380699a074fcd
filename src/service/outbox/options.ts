// What the outbox is given: where deliveries are stored, and how they are sent.
import type { Clock } from '../clock.ts';
import type { Observer } from '../observer.ts';
import type { Store } from '../store/store.ts';
import type { AttemptResult } from './attempt.ts';
import type { Poster } from './post.ts';
import type { SendEvent } from './webhook-faults.ts';

export type OutboxOptions = {
  store: Store;
  /** Milliseconds since 1970, of the service: what is due, and what people see. */
  clock: Clock;
  /** Reads how the clock of the service was moved meanwhile. */
  refreshClock(): Promise<void>;
  /** Of the machine: leases and signatures. */
  realClock: Clock;
  ids: () => string;
  random: (bytes: number) => Uint8Array;
  poster: Poster;
  /** Sends events in place of the poster alone. */
  sendEvent?: SendEvent;
  /** Sends a mail of the store by its id; undefined where mails stay in the mailbox. */
  sendMail?: (mailId: string, signal: AbortSignal) => Promise<AttemptResult>;
  onError: (error: unknown, id: string) => void;
  /** Receives claims, and the beginning and the end of attempts. */
  observer: Observer;
  /** How long a claim is good for. */
  leaseMs?: number;
};

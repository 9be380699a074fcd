// What seeding starts from, and what it reports.
import type { Client } from '../../api/client.ts';
import type { Transport } from '../../api/transport.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { Person } from '../input/person.ts';

/** A sandbox, as its owner uses it. */
export type SeedTarget = {
  baseUrl: string;
  transport: Transport;
  /** With the control secret of the sandbox. */
  client: Client;
  /** The sandbox's own user. */
  ownUser: Person;
};

export type SeedOptions = {
  documents: DocumentEngine;
  /** Nothing is made. What would be is returned. */
  isDryRun: boolean;
  /** Runs the work for one thing, for instance while its label is displayed. */
  step<T>(label: string, work: () => Promise<T>): Promise<T>;
};

export type SeedKind = 'user' | 'application' | 'template' | 'webhook' | 'transaction';

/** `continued`: it was there, and was taken to the wanted state. */
export type SeedResult = 'created' | 'continued' | 'unchanged';

export type SeededThing = {
  kind: SeedKind;
  name: string;
  result: SeedResult;
  /** Absent for what a dry run did not create. */
  id?: string | undefined;
  /** Of a transaction. */
  status?: string | undefined;
  /** What is shown only once. */
  secrets?: Readonly<Record<string, string>> | undefined;
};

// A client whose answers have the strict types of the contract. The service in a test checks
// every answer against its contract and fails where one is different (`validateResponses`), so the types hold.
import { type Client, type ClientOptions, createClient } from '../../src/api/client.ts';
import type { OperationId, OutputOf } from '../../src/api/contract/operations.ts';

export type StrictClient = {
  [K in OperationId]: (...given: Parameters<Client[K]>) => Promise<OutputOf<K>>;
};

export const createStrictClient = (options: ClientOptions): StrictClient =>
  createClient(options) as unknown as StrictClient;

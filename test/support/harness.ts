// A fresh service for a test, its clock in the test's hand: in this process, or on a port of 127.0.0.1. Every answer
// is checked against the contract on its way out.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../../src/api/client.ts';
import type { Transport } from '../../src/api/transport.ts';
import { withBearer } from '../../src/api/transport.ts';
import { createService, type Service } from '../../src/service/service.ts';
import { serve } from '../../src/service/server.ts';

export type Way = 'in process' | 'over HTTP';

export const WAYS: Way[] = ['in process', 'over HTTP'];

export type Harness = {
  service: Service;
  /** Reaches the service the way the suite asked for. */
  transport: Transport;
  baseUrl: string;
  folder: string;
  /** The client of the store's own user, with every scope and the control secret. */
  client: Client;
  /** A client with another access token, or none. */
  clientWith(token: string | undefined): Client;
  clock: { now: number; advance(ms: number): void };
  /** Errors that no one foresaw. Must stay empty. */
  errors: unknown[];
  close(): Promise<void>;
};

export const START = Date.parse('2026-03-01T09:00:00.000Z');

export async function openHarness(way: Way, given: { folder?: string } = {}): Promise<Harness> {
  const folder = given.folder ?? (await mkdtemp(join(tmpdir(), 'esign-test-')));
  const clock = {
    now: START,
    advance(ms: number) {
      clock.now += ms;
    },
  };
  const errors: unknown[] = [];
  const service = await createService({
    dataDir: folder,
    clock: () => clock.now,
    validateResponses: true,
    onError: (error) => errors.push(error),
  });
  const serving = way === 'over HTTP' ? await serve(service, { host: '127.0.0.1', port: 0 }) : undefined;
  const baseUrl = service.origin;
  const transport: Transport = serving ? (request) => fetch(request) : service.fetch;
  const clientWith = (token: string | undefined) =>
    createClient({
      baseUrl,
      transport: token === undefined ? transport : withBearer(transport, () => token),
      controlSecret: service.controlSecret,
    });
  return {
    service,
    transport,
    baseUrl,
    folder,
    client: clientWith(service.ownToken),
    clientWith,
    clock,
    errors,
    async close() {
      await serving?.close();
      await service.close();
      if (!given.folder) await rm(folder, { recursive: true, force: true });
    },
  };
}

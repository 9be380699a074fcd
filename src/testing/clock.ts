// The clock of a sandbox for tests, which takes and gives dates.
import type { Client } from '../api/client.ts';
import type { Sandbox, SandboxFired } from './sandbox.ts';

export function clockOf(client: Client): Sandbox['clock'] {
  const instantOf = (to: Date | string | number): string => new Date(to).toISOString();
  return {
    now: async () => new Date((await client['sandbox.clock']()).now),
    async set(to) {
      await client['sandbox.set_clock']({ body: { to: instantOf(to) } });
    },
    async advance(by) {
      const { now, fired } = await client['sandbox.advance_clock']({ body: { by } });
      return {
        now: new Date(now),
        fired: fired as SandboxFired[],
      };
    },
    async pauseAt(at) {
      await client['sandbox.pause_clock']({ body: at === undefined ? {} : { at: instantOf(at) } });
    },
    async resume() {
      await client['sandbox.resume_clock']({ body: {} });
    },
    async reset() {
      await client['sandbox.reset_clock']({ body: {} });
    },
  };
}

// The faults of a sandbox for tests.
import type { Client } from '../api/client.ts';
import type { Sandbox, SandboxFault } from './sandbox.ts';

export const faultsOf = (client: Client): Sandbox['faults'] => ({
  async add(operation, kind, { retryAfter, ...options } = {}) {
    const body = {
      operation,
      kind,
      ...options,
      ...(retryAfter !== undefined && { retry_after: retryAfter }),
    };
    return (await client['sandbox.add_fault']({ body })) as SandboxFault;
  },
  list: async () => (await client['sandbox.list_faults']()).items as SandboxFault[],
  async clear() {
    await client['sandbox.clear_faults']();
  },
});

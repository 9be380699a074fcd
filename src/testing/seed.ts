// Seeds the sandbox of a test in the same way as `esign sandbox seed`.
import type { Client } from '../api/client.ts';
import type { DocumentEngine } from '../pdf/engine/engine.ts';
import type { Service } from '../service/service.ts';
import type { SandboxSeed, SandboxSeeded } from './sandbox.ts';

export type Seeding = { service: Service; client: Client; documents: DocumentEngine };

/** A seed means the same in a test as on the command line, so it is the code of the command line that reads it. */
export async function seedTestSandbox(
  seed: string | SandboxSeed,
  { service, client, documents }: Seeding,
): Promise<SandboxSeeded[]> {
  const { seedFrom } = await import('../cli/seeding/seed-sandbox.ts');
  const { origin: baseUrl, transport, sender: ownUser } = service;
  const things = await seedFrom(seed, {
    documents,
    target: {
      baseUrl,
      transport,
      client,
      ownUser,
      fieldErrors: (fields) => service.fieldErrors(fields),
    },
  });
  return things as SandboxSeeded[];
}

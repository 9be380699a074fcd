// Document work in this process, without any limit but those a look at the bytes finds: for tests, and for whoever
// knows where the files come from.
import { type DocumentEngine, engineOver } from './engine.ts';
import { carryOut } from './work.ts';

export const createInProcessEngine = (): DocumentEngine =>
  engineOver(
    async (job, source) => carryOut(job, await source.bytes()),
    async () => undefined,
  );

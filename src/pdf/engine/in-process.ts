// Runs document work in this process, with no limits other than those checked on the bytes: for tests, and for callers that
// trust the files.
import { type DocumentEngine, engineOver } from './engine.ts';
import { runJob } from './work.ts';

export const createInProcessEngine = (): DocumentEngine =>
  engineOver(
    async (job, source) => runJob(job, await source.bytes()),
    async () => undefined,
  );

// Makes folders for tests: in memory where the system has a RAM disk, because no test depends on data surviving a power cut.
import { access, constants, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

export async function temporaryFolder(): Promise<string> {
  const isThere = await access(MEMORY, constants.W_OK).then(
    () => true,
    () => false,
  );
  return mkdtemp(join(isThere ? MEMORY : tmpdir(), 'esign-test-'));
}

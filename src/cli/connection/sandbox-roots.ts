// Reads the root certificates of this machine's sandbox, which `esign verify` trusts. It opens no service: that would load all of it for one row.
import { distrustOf } from '../../files/trust.ts';
import { type RootsOfStore, readRootsOfStore } from '../../service/sealing/embedded-sealing.ts';

/** @returns no certificates where there is no sandbox, or where another user could have put them there */
export const readSandboxRoots = async (folder: string): Promise<RootsOfStore> =>
  distrustOf(folder) ? { certificates: [], importedAt: undefined } : readRootsOfStore(folder);

// Opens the store of logins according to the environment.
import type { Environment } from '../../config/environment.ts';
import { variable } from '../../config/environment.ts';
import type { Paths } from '../../config/paths.ts';
import type { LoginStore } from '../../credentials/store.ts';
import { cliError } from '../command/errors.ts';
import { fileMask, platform } from '../process/edges.ts';

export type LoginParts = { environment: Environment; paths: Paths };

export async function openLoginStore({ environment: { variables }, paths }: LoginParts): Promise<LoginStore> {
  fileMask();
  const wish = variable(variables, 'ESIGN_CREDENTIAL_STORE');
  if (wish !== undefined && wish !== 'keyring' && wish !== 'file')
    throw cliError('variable_invalid', {
      name: 'ESIGN_CREDENTIAL_STORE',
      value: wish,
      use: 'keyring or file',
    });
  const { createLoginStore } = await import('../../credentials/store.ts');
  return createLoginStore({
    dir: paths.credentialsDir,
    preferredPlace: wish,
    keyring: { platform, variables },
  });
}

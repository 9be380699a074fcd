// Explains why a command cannot listen on an address, by the code of the system. Each command names its own way out.
import { cliError } from './errors.ts';

const BY_CODE = {
  EADDRINUSE: { code: 'port_in_use', problem: 'is already in use', hint: 'inUse' },
  EACCES: { code: 'port_not_allowed', problem: 'cannot be used: permission denied', hint: 'notAllowed' },
  EADDRNOTAVAIL: {
    code: 'address_not_available',
    problem: 'is not an address of this machine',
    hint: 'notAvailable',
  },
  ENOTFOUND: {
    code: 'address_not_available',
    problem: 'is not an address of this machine',
    hint: 'notAvailable',
  },
} as const;

type ListenHints = { inUse: string; notAllowed: string; notAvailable: string };

/**
 * Makes an error of the command line of an error that is about an address to listen on.
 * @returns any other error as it is
 */
export function explainListenError(error: unknown, hints: ListenHints, name?: string): unknown {
  const { code = '', address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (!Object.hasOwn(BY_CODE, code)) return error;
  const { problem, hint, ...row } = BY_CODE[code as keyof typeof BY_CODE];
  const listened = [address, port].filter((part) => part !== undefined).join(':');
  return cliError(row.code, {
    sentence: `${name ?? (listened || 'The address')} ${problem}.`,
    hint: hints[hint],
  });
}

// The exit codes of the program. They are a public interface, which scripts compare. Only commands that wait and `verify` use 8, 9 and 11.

export const EXIT = {
  done: 0,
  unexpected: 1,
  usage: 2,
  refused: 3,
  access: 4,
  notFound: 5,
  conflict: 6,
  network: 7,
  pending: 8,
  endedBadly: 9,
  partly: 10,
  uncertain: 11,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.done, 'Success'],
  [
    EXIT.unexpected,
    'Unexpected error, or the output could not be filtered or printed; the command may have been carried out',
  ],
  [EXIT.usage, 'Invalid command line or input, or a file or profile that does not exist; nothing was sent'],
  [EXIT.refused, 'The service refused the input'],
  [EXIT.access, 'Not logged in, or the access token or its scope was refused'],
  [EXIT.notFound, 'Not found at the service, or no ID seen on this machine fits'],
  [EXIT.conflict, 'Not allowed in the current status'],
  [
    EXIT.network,
    'The network, TLS or the service failed, and the error says how to continue; or a receiver of a replayed or test event failed',
  ],
  [EXIT.pending, 'Timed out while still pending'],
  [EXIT.endedBadly, 'Transaction rejected, expired or cancelled; or a signature is missing or invalid'],
  [
    EXIT.partly,
    'Partly done, or no response arrived, so that it may or may not be done; the error says how to continue',
  ],
  [
    EXIT.uncertain,
    'Signatures are neither proven valid nor proven invalid, such as by a certificate that is not trusted on this machine',
  ],
  [EXIT.interrupted, 'Interrupted (SIGINT), or a confirmation was answered with no'],
  [EXIT.terminated, 'Terminated (SIGTERM)'],
];

// Lets the mail server be unavailable on purpose, as a fault of the sandbox says.
import type { AttemptResult } from '../outbox/attempt.ts';
import type { SandboxFaults } from '../sandbox/faults.ts';

type SendMail = (mailId: string, signal: AbortSignal) => Promise<AttemptResult>;

export const withMailFaults =
  (send: SendMail, { strikeSending }: Pick<SandboxFaults, 'strikeSending'>): SendMail =>
  async (mailId, signal) =>
    (await strikeSending(['smtp-unavailable'], `email ${mailId}`))
      ? {
          ok: false,
          status: null,
          why: 'the fault smtp-unavailable of the sandbox keeps it from the mail server',
          answer: '',
          durationMs: 0,
        }
      : send(mailId, signal);

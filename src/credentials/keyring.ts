// Uses the keyring of the desktop through a separate process (`keyring-process.ts`): the native library blocks
// its thread while it waits for a D-Bus that does not answer, and a process can be ended.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { launchOf } from '../common/own-program.ts';

const ANSWER_WITHIN_MS = 3000;

export type KeyringRequest =
  | { action: 'read' | 'remove'; account: string }
  | { action: 'write'; account: string; secret: string };

export type KeyringAnswer = { ok: true; secret: string | null } | { ok: false; reason: string };

export type CredentialsErrorCode = 'keyring_unusable' | 'login_unreadable';

export type CredentialsError = Error & { code: CredentialsErrorCode };

export type Keyring = {
  /** Reads a secret; it is null when the keyring has no entry of that name. */
  read(account: string): Promise<string | null>;
  write(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
};

/** The message says why, without a full stop. */
export class KeyringError extends Error {
  override name = 'KeyringError';
  readonly code = 'keyring_unusable' satisfies CredentialsErrorCode;
}

export type KeyringOptions = {
  platform: string;
  variables: Readonly<Record<string, string | undefined>>;
  /** The file is the built `keyring-process.ts`. */
  program?: string;
  answerWithinMs?: number;
};

/** Says why there is no keyring; undefined when there may be one. It starts nothing to find out. */
export function whyNoKeyring({ platform, variables }: KeyringOptions): string | undefined {
  // Without a session bus the library would start one, which would keep running.
  if (platform === 'linux' && !variables.DBUS_SESSION_BUS_ADDRESS)
    return 'there is no desktop session (DBUS_SESSION_BUS_ADDRESS is not set)';
  return undefined;
}

export function openKeyring(options: KeyringOptions): Keyring {
  const request = (request: KeyringRequest) => sendRequest(request, options);
  return {
    read: (account) => request({ action: 'read', account }),
    async write(account, secret) {
      await request({ action: 'write', account, secret });
    },
    async remove(account) {
      await request({ action: 'remove', account });
    },
  };
}

async function sendRequest(request: KeyringRequest, options: KeyringOptions): Promise<string | null> {
  const answer = await exchange(JSON.stringify(request), options);
  if (answer.ok) return answer.secret;
  throw new KeyringError(answer.reason);
}

const builtProgram = (): string => fileURLToPath(new URL('./keyring.js', import.meta.url));

/** Runs the process. The request goes through a pipe, so that no argument contains a secret. */
function exchange(
  request: string,
  { variables, program = builtProgram(), answerWithinMs = ANSWER_WITHIN_MS }: KeyringOptions,
): Promise<KeyringAnswer> {
  return new Promise((resolve) => {
    const launch = launchOf(program);
    const child = spawn(launch.command, launch.words, {
      env: { ...variables, ...launch.variables },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const chunks: Buffer[] = [];
    const end = (answer: KeyringAnswer) => {
      clearTimeout(limit);
      resolve(answer);
    };
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      end({ ok: false, reason: `it did not respond within ${answerWithinMs / 1000} seconds` });
    }, answerWithinMs);
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', () => end({ ok: false, reason: 'its process could not be started' }));
    child.once('close', () => end(parsedAnswer(Buffer.concat(chunks).toString('utf8'))));
    child.stdin.on('error', () => undefined); // it ended early: `close` reports it
    child.stdin.end(request);
  });
}

function parsedAnswer(text: string): KeyringAnswer {
  try {
    return JSON.parse(text) as KeyringAnswer;
  } catch {
    return { ok: false, reason: 'its process ended without a response' };
  }
}

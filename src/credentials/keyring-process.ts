// Answers one request to the keyring, from standard input on standard output. It runs as a separate process; see `keyring.ts`.
import process from 'node:process';
import type { KeyringAnswer, KeyringRequest } from './keyring.ts';

const SERVICE = 'esign';

process.stdout.write(JSON.stringify(await answerTo(await request())));

async function request(): Promise<KeyringRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as KeyringRequest;
}

async function answerTo(request: KeyringRequest): Promise<KeyringAnswer> {
  try {
    const { Entry } = (await import('@napi-rs/keyring')).default;
    // By default the library falls back silently to the keys of the kernel, which a restart deletes.
    const entry = new Entry(SERVICE, request.account, { linux: { store: 'secret-service' } });
    if (request.action === 'read') return { ok: true, secret: entry.getPassword() };
    if (request.action === 'write') entry.setPassword(request.secret);
    else entry.deletePassword();
    return { ok: true, secret: null };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND';
    return {
      ok: false,
      reason: isMissing ? 'the keyring package is not installed for this system' : oneLine(message),
    };
  }
}

/** Shortens a message of the library to one line. It never contains the secret. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\.$/, '').slice(0, 200);
}

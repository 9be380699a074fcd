// Mail by SMTP against servers that take it, refuse it, are slow, hang up and lack encryption.
import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { checkSmtp } from '../../../src/service/mail/check.ts';
import { type ComposedMail, composeMail } from '../../../src/service/mail/compose.ts';
import type { SmtpSettings } from '../../../src/service/mail/settings.ts';
import { createMailer, type Mailer } from '../../../src/service/mail/smtp.ts';
import { mailWith, parsedByPython } from '../../support/fixtures/mails.ts';
import { type MailServer, smtpError, startMailServer } from '../../support/servers/mail-server.ts';
import { refusingPort } from '../../support/servers/ports.ts';
import { SLOW } from '../../support/tier.ts';
import { needsCommand } from '../../support/tools.ts';

const openssl = needsCommand('openssl');
const python = needsCommand('python3');

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serverWith(options?: SMTPServerOptions): Promise<MailServer> {
  const server = await startMailServer(options);
  closing.push(() => server.close());
  return server;
}

function mailerFor(settings: SmtpSettings, timeoutMs?: number): Mailer {
  const mailer = createMailer(settings, timeoutMs === undefined ? {} : { timeoutMs });
  closing.push(() => mailer.close());
  return mailer;
}

const mail = (): Promise<ComposedMail> => composeMail(mailWith(), []);

const refusingRecipient = (...codes: (number | undefined)[]): SMTPServerOptions => ({
  onRcptTo(_, __, done) {
    const code = codes.shift();
    done(code === undefined ? null : smtpError(code, `because ${code}`));
  },
});

describe.runIf(SLOW)(`SMTP${openssl.why}`, { skip: openssl.skip }, () => {
  test('sends the composed bytes to the recipient of the envelope, encrypted, over one connection', async () => {
    const server = await serverWith();
    const mailer = mailerFor(server.settings());
    const composed = await mail();
    for (const _ of [1, 2, 3])
      expect(await mailer.send(composed)).toMatchObject({ ok: true, status: 250, why: null });
    expect(server.taken).toHaveLength(3);
    expect(server.connections()).toBe(1);
    const [first] = server.taken;
    expect(first).toMatchObject({ from: 'no-reply@example.com', to: ['ada@example.com'], isSecure: true });
    expect(first?.message.toString('latin1').trimEnd()).toBe(
      Buffer.from(composed.message).toString('latin1').trimEnd(),
    );
  });

  test('sends it over TLS from the start, too', async () => {
    const server = await serverWith({ secure: true });
    expect(await mailerFor(server.settings({ tls: 'tls' })).send(await mail())).toMatchObject({ ok: true });
    expect(server.taken[0]?.isSecure).toBe(true);
  });

  test('is tried again after a 4xx, and is final after a 5xx, with what the server said', async () => {
    const server = await serverWith(refusingRecipient(451, undefined, 550));
    const mailer = mailerFor(server.settings());
    const first = await mailer.send(await mail());
    expect(first).toMatchObject({
      ok: false,
      status: 451,
      why: 'the mail server responded with status 451: because 451',
    });
    expect(first.answer).toContain('because 451');
    expect(first.isFinal ?? false).toBe(false);
    expect(await mailer.send(await mail())).toMatchObject({ ok: true });
    expect(await mailer.send(await mail())).toMatchObject({ ok: false, status: 550, isFinal: true });
    expect(server.taken).toHaveLength(1);
  });

  test('cuts what a server says to a line without controls', async () => {
    const server = await serverWith({
      onRcptTo: (_, __, done) => done(smtpError(550, `\u001b[31m${'no '.repeat(2000)}`)),
    });
    const { answer } = await mailerFor(server.settings()).send(await mail());
    expect(answer.length).toBeLessThanOrEqual(1000);
    expect(answer).not.toMatch(/[\u0000-\u001f]/);
  });

  test.each([
    ['that does not offer it', { hideSTARTTLS: true, disabledCommands: ['STARTTLS', 'AUTH'] }, true],
    ['whose certificate nobody knows', {}, false],
  ])('sends nothing without encryption to a server %s', async (_, options, isTrusted) => {
    const server = await serverWith(options);
    const { certificates, ...settings } = server.settings();
    const given = isTrusted && certificates !== undefined ? { ...settings, certificates } : settings;
    const result = await mailerFor(given).send(await mail());
    expect(result.ok).toBe(false);
    expect(result.why).toMatch(
      isTrusted ? /^no encrypted connection to localhost:\d+ could be established/ : /self-signed/,
    );
    expect(result.isFinal ?? false).toBe(false);
    expect(server.taken).toEqual([]);
  });

  test('sends in the clear where that is set, which is for this machine', async () => {
    const server = await serverWith({ disabledCommands: ['STARTTLS', 'AUTH'] });
    expect(
      await mailerFor(server.settings({ tls: 'none', host: '127.0.0.1' })).send(await mail()),
    ).toMatchObject({
      ok: true,
    });
    expect(server.taken[0]?.isSecure).toBe(false);
  });

  test('logs in; a wrong password keeps the mail for later', async () => {
    const server = await serverWith({
      authOptional: false,
      onAuth({ username, password }, _, done) {
        if (password === 'right ü') done(null, { user: username ?? '' });
        else done(smtpError(535, 'who are you'));
      },
    });
    const right = { user: 'sam', password: 'right ü' };
    expect(await mailerFor(server.settings(right)).send(await mail())).toMatchObject({ ok: true });
    expect(server.taken[0]?.user).toBe('sam');
    for (const wrong of [{ user: 'sam', password: 'wrong' }, {}]) {
      const result = await mailerFor(server.settings(wrong)).send(await mail());
      expect(result.ok).toBe(false);
      expect(result.why).toMatch(/^the mail server rejected the login \(53\d\)$/);
      expect(result.isFinal ?? false).toBe(false);
      expect(JSON.stringify(result)).not.toContain('wrong');
    }
    expect(server.taken).toHaveLength(1);
  });

  test('gives up on a server that is slow, and does not wait for the connection to end', async () => {
    const server = await serverWith({ onRcptTo: (_, __, done) => void setTimeout(done, 5000) });
    const result = await mailerFor(server.settings(), 300).send(await mail());
    expect(result).toMatchObject({ ok: false, status: null, why: 'the mail server took longer than 0.3 s' });
    expect(server.taken).toEqual([]);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => undefined],
    ['says one letter a moment', (socket) => void setInterval(() => socket.write('2'), 20).unref()],
    ['never ends its greeting', (socket) => void setInterval(() => socket.write('220-hello\r\n'), 5).unref()],
  ])('gives up on a server that %s', async (_, behave) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      behave(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const result = await mailerFor({ host: '127.0.0.1', port, tls: 'none' }, 400).send(await mail());
    expect(result).toMatchObject({ ok: false, status: null, why: 'the mail server took longer than 0.4 s' });
  });

  test('is tried again when a server is closing', async () => {
    const server = await serverWith({ onConnect: (_, done) => done(smtpError(421, 'closing')) });
    const result = await mailerFor(server.settings()).send(await mail());
    expect(result).toMatchObject({ ok: false, status: 421 });
    expect(result.isFinal ?? false).toBe(false);
  });

  test('is tried again when a server hangs up in the middle of the message', async () => {
    const ANSWERS: Record<string, string> = { EHLO: '250 hello', DATA: '354 go on' };
    const server = createServer((socket) => {
      socket.write('220 hello\r\n');
      let isMessage = false;
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        if (isMessage) return socket.destroy();
        const word = String(data).slice(0, 4);
        isMessage = word === 'DATA';
        return socket.write(`${ANSWERS[word] ?? '250 fine'}\r\n`);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const result = await mailerFor({ host: '127.0.0.1', port, tls: 'none' }).send(await mail());
    expect(result).toMatchObject({ ok: false, status: null });
    expect(result.why).toContain(`the connection to 127.0.0.1:${port} failed`);
    expect(result.isFinal ?? false).toBe(false);
  });

  test('is tried again when the server does not answer', async () => {
    const server = await startMailServer();
    closing.push(() => server.close());
    const settings = server.settings({ port: await refusingPort() });
    const result = await mailerFor(settings).send(await mail());
    expect(result).toMatchObject({ ok: false, status: null });
    expect(result.why).toMatch(/^the connection to localhost:\d+ failed \(.*ECONNREFUSED.*\)$/);
  });

  test('says which file of the settings cannot be read, and reads it the next time', async () => {
    const server = await serverWith();
    const path = join(await mkdtemp(join(tmpdir(), 'esign-dkim-')), 'key.pem');
    const dkim = { domain: 'example.com', selector: 's1', key: path };
    const mailer = mailerFor(server.settings({ dkim }));
    expect(await mailer.send(await mail())).toMatchObject({
      ok: false,
      why: `the file "${path}" (mail.dkim_key) cannot be read (ENOENT)`,
    });
    await writeFile(
      path,
      generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    );
    expect(await mailer.send(await mail())).toMatchObject({ ok: true });
  });

  test('is signed by DKIM, so that any reader can verify that it was not changed', async () => {
    const server = await serverWith();
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const path = join(await mkdtemp(join(tmpdir(), 'esign-dkim-')), 'key.pem');
    await writeFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const dkim = { domain: 'example.com', selector: 's1', key: path };
    await mailerFor(server.settings({ dkim })).send(await mail());
    const message = server.taken[0]?.message.toString('latin1') ?? '';
    expect(dkimVerdict(message, publicKey.export({ type: 'spki', format: 'pem' }).toString())).toBe('valid');
    const forged = message.replace('asks you to sign', 'begs you to sign');
    expect(dkimVerdict(forged, publicKey.export({ type: 'spki', format: 'pem' }).toString())).toBe(
      'body changed',
    );
    const renamed = message.replace('Subject: Please', 'Subject: Quick');
    expect(dkimVerdict(renamed, publicKey.export({ type: 'spki', format: 'pem' }).toString())).toBe(
      'head changed',
    );
  });

  test('carries 10 MB, and they arrive as they were', { skip: python.skip }, async () => {
    const server = await serverWith({ size: 64 * 1024 * 1024 });
    const bytes = Buffer.alloc(10 * 1024 * 1024, 'PDF with bytes \u0000\r\n.\r\n');
    const composed = await composeMail(mailWith(), [{ name: 'Vertrag "ü".pdf', bytes }]);
    expect(await mailerFor(server.settings()).send(composed)).toMatchObject({ ok: true });
    const [parsed] = parsedByPython(server.taken.map(({ message }) => message));
    expect(parsed?.parts[2]).toMatchObject({
      type: 'application/pdf',
      name: 'Vertrag "ü".pdf',
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  });

  test('reaches 1,000 recipients over few connections, each once', async () => {
    const server = await serverWith();
    const mailer = mailerFor(server.settings());
    const people = Array.from({ length: 1000 }, (_, index) => `p${index}@example.com`);
    const results = await Promise.all(
      people.map(async (email, index) =>
        mailer.send(await composeMail(mailWith({ id: `m${index}`, to: { name: `P ${index}`, email } }), [])),
      ),
    );
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(server.taken.flatMap(({ to }) => to).sort()).toEqual([...people].sort());
    // Each connection carries a hundred at the most.
    expect(server.connections()).toBeLessThanOrEqual(13);
  });

  test('ends at once when it is interrupted', async () => {
    const server = await serverWith({ onRcptTo: (_, __, done) => void setTimeout(done, 5000) });
    const stop = new AbortController();
    const sending = mailerFor(server.settings()).send(await mail(), stop.signal);
    setTimeout(() => stop.abort(), 200);
    expect(await sending).toMatchObject({ ok: false, why: 'it was interrupted' });
  });

  test('doctor tries connection and login, and sends nothing', async () => {
    const server = await serverWith();
    const from = 'no-reply@example.com';
    const common = { from, language: 'en' as const };
    expect(await checkSmtp({ ...common, smtp: server.settings() })).toEqual({
      state: 'ok',
      says: `Emails are sent through localhost:${server.port}, from ${from}.`,
    });
    expect(server.taken).toEqual([]);
    const { certificates: _, ...unknown } = server.settings();
    expect(await checkSmtp({ ...common, smtp: unknown })).toMatchObject({ state: 'fail' });
  });
});

/** RFC 6376 with relaxed canonicalization, as far as one signature with rsa-sha256 needs it. */
function dkimVerdict(message: string, publicKey: string): string {
  const split = message.indexOf('\r\n\r\n');
  const body = message.slice(split + 4);
  const fields = message.slice(0, split).split(/\r\n(?![ \t])/);
  const signature = fields.find((field) => /^dkim-signature:/i.test(field)) ?? '';
  const tags = Object.fromEntries(
    signature
      .slice(signature.indexOf(':') + 1)
      .split(';')
      .map((tag) => [
        tag.slice(0, tag.indexOf('=')).trim(),
        tag.slice(tag.indexOf('=') + 1).replace(/\s+/g, ''),
      ]),
  );
  const relaxedBody = `${body
    .split('\r\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''))
    .join('\r\n')
    .replace(/(\r\n)+$/, '')}\r\n`;
  const bodyHash = createHash('sha256').update(relaxedBody, 'latin1').digest('base64');
  if (bodyHash !== tags.bh) return 'body changed';
  const relaxed = (field: string): string => {
    const colon = field.indexOf(':');
    const value = field
      .slice(colon + 1)
      .replace(/\r\n/g, '')
      .replace(/[ \t]+/g, ' ')
      .trim();
    return `${field.slice(0, colon).trim().toLowerCase()}:${value}`;
  };
  const left = fields.filter((field) => field !== signature);
  const signed = (tags.h ?? '').split(':').flatMap((name) => {
    const at = left
      .map((field) => field.slice(0, field.indexOf(':')).trim().toLowerCase())
      .lastIndexOf(name.toLowerCase());
    return at < 0 ? [] : [relaxed(left.splice(at, 1)[0] ?? '')];
  });
  const own = relaxed(signature.replace(/(;\s*b=)[\s\S]*$/, '$1'));
  const verify = createVerify('sha256').update(`${signed.join('\r\n')}\r\n${own}`, 'latin1');
  return verify.verify(publicKey, Buffer.from(tags.b ?? '', 'base64')) ? 'valid' : 'head changed';
}

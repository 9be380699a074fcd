// The settings of a team server: options and ESIGN_SERVE_*, and what is refused.
import { describe, expect, test } from 'vitest';
import { readServeSettings, type TypedServeOptions } from '../../src/config/serve.ts';

const KEY = 'ab'.repeat(32);
const GIVEN = {
  ESIGN_SERVE_DATABASE: 'postgres://esign:secret@db.example.com/esign',
  ESIGN_SERVE_KEY: KEY,
  ESIGN_SERVE_ORIGIN: 'https://sign.example.com',
};

const read = (variables: Record<string, string | undefined> = {}, options: TypedServeOptions = {}) =>
  readServeSettings(options, { ...GIVEN, ...variables });

describe('the settings of a team server', () => {
  test('come from variables', async () => {
    const variables = {
      ESIGN_SERVE_LISTEN: '0.0.0.0:80',
      ESIGN_SERVE_ALLOWED_HOST: 'esign.internal, Other.internal',
      ESIGN_SERVE_TRUSTED_PROXY: '10.0.0.0/8 ::1',
      ESIGN_SERVE_CLIENT_HEADER: 'X-Real-IP',
      ESIGN_SERVE_RECEIVERS: '10.0.0.0/8, erp.intern.corp',
      ESIGN_SERVE_ALLOW: 'mail,fonts',
      ESIGN_SERVE_NO_MIGRATE: '1',
      ESIGN_SERVE_INSTALLATION: 'I',
      ESIGN_SERVE_MAIL_SMTP: 'mail.example.com',
      ESIGN_SERVE_SEALING_TSA: 'http://tsa.example.com',
    };
    expect(await read(variables)).toMatchObject({
      database: GIVEN.ESIGN_SERVE_DATABASE,
      listen: { host: '0.0.0.0', port: 80 },
      origin: 'https://sign.example.com',
      allowedHosts: ['esign.internal', 'other.internal'],
      trustedProxies: ['10.0.0.0/8', '::1'],
      clientHeader: 'x-real-ip',
      receivers: ['10.0.0.0/8', 'erp.intern.corp'],
      allow: ['mail', 'fonts'],
      key: new Uint8Array(Buffer.from(KEY, 'hex')),
      migrates: false,
      hasLocalReceivers: false,
      allowsMcpSending: false,
      installation: 'I',
      mail: { smtp: 'mail.example.com' },
      sealing: { tsa: 'http://tsa.example.com' },
    });
  });

  test('that are options win', async () => {
    const settings = await read(
      { ESIGN_SERVE_LISTEN: '127.0.0.1:1', ESIGN_SERVE_ALLOW: 'mail' },
      { listen: '[::1]:8443', allow: ['fonts'], origin: 'https://other.example.com' },
    );
    expect(settings).toMatchObject({
      listen: { host: '::1', port: 8443 },
      allow: ['fonts'],
      origin: 'https://other.example.com',
      migrates: true,
    });
  });

  test.each([
    [undefined, 1],
    ['1', 1],
    ['64', 64],
  ])('have with the variable for workers %j as many as %i', async (text, workers) => {
    expect(await read({ ESIGN_SERVE_WORKERS: text })).toMatchObject({ workers });
  });

  test.each([
    'ESIGN_SERVE_INSTALATION',
    'ESIGN_SERVE_DATABSE',
    'ESIGN_SERVE_WORKER',
    'ESIGN_SERVE_MAIL_SMPT',
  ])('refuse the variable %s, which is not known', async (name) => {
    await expect(read({ [name]: 'x' })).rejects.toMatchObject({
      code: 'variable_invalid',
      message: `The variable ${name} is not known.`,
    });
  });

  test('ignore what Kubernetes sets beside a service with this name, and variables without a value', async () => {
    const variables = {
      ESIGN_SERVE_SERVICE_HOST: '10.0.0.1',
      ESIGN_SERVE_SERVICE_PORT: '80',
      ESIGN_SERVE_SERVICE_PORT_HTTP: '80',
      ESIGN_SERVE_PORT: 'tcp://10.0.0.1:80',
      ESIGN_SERVE_PORT_80_TCP_ADDR: '10.0.0.1',
      ESIGN_SERVE_UNKNOWN: '',
    };
    expect(await read(variables)).toMatchObject({ workers: 1 });
  });

  test.each(['allow', 'require'] as const)(
    'refuse the name of a check that does not exist in --%s',
    async (option) => {
      await expect(read({}, { [option]: ['mail', 'mial'] })).rejects.toMatchObject({
        message: `"mial" is not a valid value for --${option}.`,
        hint: expect.stringContaining('mail'),
      });
    },
  );

  test.each([
    'postgres://esign:S3cr@et@db.example.com/esign',
    'postgres://esign:S3cr@et/Pw@db.example.com:5432/esign',
    'postgres://esign:S3cr#et@db.example.com/esign',
  ])('refuse the URL %s, in which the password is not encoded, and do not repeat it', async (database) => {
    const refused = await read({ ESIGN_SERVE_DATABASE: database }).catch((error: Error) => error);
    expect(refused).toMatchObject({ code: 'value_invalid', hint: expect.stringMatching(/%40|URL such as/) });
    expect(JSON.stringify({ ...(refused as Error), text: String(refused) })).not.toMatch(/S3cr|et@|Pw/);
  });

  test.each([
    ['ESIGN_SERVE_DATABASE', 'postgres://db.example.com/esign'],
    ['ESIGN_SERVE_KEY', 'ab'.repeat(32)],
  ])('refuse %s beside a file that says the same', async (name, value) => {
    const refused = await read({ [name]: value, [`${name}_FILE`]: '/somewhere' }).catch(
      (error: Error) => error,
    );
    const { message } = refused as Error;
    expect(message).toBe(`${name} and ${name}_FILE are both set.`);
  });

  test.each([
    'postgres://esign:S3cr%40et%2FPw@db.example.com:5432/esign?sslmode=verify-full&application_name=a@b',
    'postgresql://db.example.com/esign?host=/var/run/postgresql',
  ])('take the URL %s', async (database) => {
    expect(await read({ ESIGN_SERVE_DATABASE: database })).toMatchObject({ database });
  });

  test.each<[Record<string, string>, TypedServeOptions, unknown]>([
    [{}, {}, true],
    [{}, { migrates: 'where empty' }, 'where empty'],
    [{ ESIGN_SERVE_NO_MIGRATE: '1' }, { migrates: 'where empty' }, false],
    [{}, { migrates: false }, false],
    [{ ESIGN_SERVE_NO_MIGRATE: '1' }, { migrates: true }, true],
  ])('with the variables %j and the options %j migrate: %j', async (variables, options, migrates) => {
    expect(await read(variables, options)).toMatchObject({ migrates });
  });

  test.each(['0', '65', '-1', '1.5', 'two', '1e1', '0x2', ' 2'])('refuse %j workers', async (text) => {
    await expect(read({ ESIGN_SERVE_WORKERS: text })).rejects.toMatchObject({
      message: expect.stringContaining(`"${text}"`),
      hint: expect.stringContaining('from 1 to 64'),
    });
  });

  test('need no origin on loopback', async () => {
    const settings = await read({ ESIGN_SERVE_ORIGIN: undefined });
    expect(settings).toMatchObject({ origin: undefined, listen: { host: '127.0.0.1', port: 8080 } });
  });

  test.each<[string, Record<string, string | undefined>, RegExp]>([
    ['no database', { ESIGN_SERVE_DATABASE: undefined }, /--database is missing/],
    [
      'a database that is none',
      { ESIGN_SERVE_DATABASE: 'mysql://u:secret@h/d' },
      /not the URL of a PostgreSQL database/,
    ],
    ['a database without a name', { ESIGN_SERVE_DATABASE: 'postgres://u:secret@h/' }, /not the URL/],
    ['no key', { ESIGN_SERVE_KEY: undefined }, /key of the installation is missing/],
    ['a key that is too short', { ESIGN_SERVE_KEY: 'ab' }, /not 64 hexadecimal digits/],
    [
      'an origin without TLS',
      { ESIGN_SERVE_ORIGIN: 'http://sign.example.com' },
      /"http:\/\/sign.example.com"/,
    ],
    ['an origin with a password', { ESIGN_SERVE_ORIGIN: 'https://:x@sign.example.com' }, /--origin/],
    ['an origin with a path', { ESIGN_SERVE_ORIGIN: 'https://sign.example.com/esign' }, /--origin/],
    [
      'no origin for others',
      { ESIGN_SERVE_ORIGIN: undefined, ESIGN_SERVE_LISTEN: '0.0.0.0:80' },
      /--origin is missing/,
    ],
    ['an address to listen on that is none', { ESIGN_SERVE_LISTEN: 'here' }, /"here"/],
    ['a port that is none', { ESIGN_SERVE_LISTEN: '127.0.0.1:70000' }, /70000/],
    ['a header that is none', { ESIGN_SERVE_CLIENT_HEADER: 'X Real' }, /"X Real"/],
    ['a receiver that everybody can reach', { ESIGN_SERVE_RECEIVERS: '8.8.8.8' }, /"8.8.8.8"/],
    ['a proxy that is a name', { ESIGN_SERVE_TRUSTED_PROXY: 'proxy.internal' }, /"proxy.internal"/],
    ['a certificate without a key', { ESIGN_SERVE_TLS_CERT: 'cert.pem' }, /--tls-key is missing/],
    [
      'a variable that is not known',
      { ESIGN_SERVE_SEALING_P13: 'x' },
      /ESIGN_SERVE_SEALING_P13 is not known/,
    ],
  ])('refuse %s, and never say a password', async (_, variables, message) => {
    const error = await read(variables).catch((reason: Error) => reason);
    expect(error).toMatchObject({ name: 'ConfigError', message: expect.stringMatching(message) });
    expect(JSON.stringify([error, (error as Error).message])).not.toMatch(/secret|abab/);
  });
});

// Opens a team server on PostgreSQL, as `esign serve` runs it. Beside sandbox.ts, it is the only file of the command line that imports the
// service.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { instantOf } from '../../common/instant.ts';
import { readDeliveryProxy } from '../../config/delivery-proxy.ts';
import type { Variables } from '../../config/environment.ts';
import { type ConfiguredMail, mailOf } from '../../config/mail.ts';
import type { Paths } from '../../config/paths.ts';
import { sealingOf } from '../../config/sealing.ts';
import { secretFile } from '../../config/secret-variable.ts';
import { readServeSettings, type ServeSettings, type TypedServeOptions } from '../../config/serve.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import { realClockOf, systemClock } from '../../service/clock.ts';
import { timeOrderedIds } from '../../service/ids.ts';
import { createPasswords } from '../../service/password.ts';
import { openTeamStore, type TeamStore } from '../../service/serve/team-store.ts';
import { isRange, trustProxies } from '../../service/serve/trusted-proxies.ts';
import { type HealthAnswer, type HealthAnswers, type RequestLine, serve } from '../../service/server.ts';
import { createService, type Service } from '../../service/service.ts';
import { addVerifiedUser } from '../../service/store/add-user.ts';
import { countMigrations } from '../../service/store/migrations.ts';
import { fileMask } from '../process/edges.ts';
import type { Sink } from '../terminal/streams.ts';
import type { SandboxServer, SettingsFinding, TeamServeOptions, TeamServer } from './connection.ts';
import { describeDatabase } from './describe-database.ts';
import { causesOf } from './failure-log.ts';

export type TeamServerParts = {
  variables: Variables;
  paths: Paths;
  documents: DocumentEngine;
  /** Which LibreOffice converts Word documents. */
  office: string | undefined;
  /** Takes the log, a JSON object a line. */
  err: Sink;
  isQuiet: boolean;
};

/** @throws ConfigError for a setting that is missing or wrong; what `openTeamStore` throws */
export const openConfigured = async (
  options: TypedServeOptions,
  parts: TeamServerParts,
): Promise<TeamServer> => openTeamServer(await readServeSettings(options, parts.variables, isRange), parts);

async function openTeamServer(
  settings: ServeSettings,
  { variables, paths, documents, office, err, isQuiet }: TeamServerParts,
): Promise<TeamServer> {
  fileMask();
  const log = createLog(err, isQuiet);
  const folder = settings.folder ?? join(paths.dataDir, 'serve');
  const deliveryProxy = readDeliveryProxy(variables);
  const mail = await mailOf(settings.mail, variables);
  const ids = timeOrderedIds(systemClock);
  const store = await openTeamStore(
    {
      url: settings.database,
      key: settings.key,
      folder,
      installation: settings.installation,
      migrates: settings.migrates,
    },
    { now: () => instantOf(systemClock()), newId: ids, random: randomBytes },
  );
  const service = await createService({
    store,
    documents,
    isSandbox: false,
    allowLoopbackReceivers: settings.hasLocalReceivers,
    origin: originOf(settings),
    allowedHosts: settings.allowedHosts,
    sealing: () => sealingOf(settings.sealing, variables),
    mail: () => mail,
    ...(deliveryProxy !== undefined && { posting: { proxy: deliveryProxy } }),
    onError: log.failed,
  });
  return {
    installation: store.installation,
    origin: service.origin,
    database: describeDatabase(settings.database),
    databaseVersion: store.databaseVersion,
    folder,
    allow: settings.allow,
    clockAheadMs: systemClock() - realClockOf(store)(),
    warn: log.warned,
    checkSealing: () => checkSealing(service, settings),
    checkMail: () => checkMail(service, mail),
    async root() {
      const { ensureRoot } = await import('../../service/sealing/root.ts');
      const clock = () => instantOf(realClockOf(store)());
      return ensureRoot({ store, clock, random: randomBytes });
    },
    async addUser({ password, ...user }) {
      const passwordHash =
        password === undefined ? undefined : await createPasswords(randomBytes).hash(password);
      const facts = { now: instantOf(realClockOf(store)()), newId: ids };
      return store.database.write((db) => addVerifiedUser(db, { ...user, passwordHash }, facts));
    },
    serve: ({ isReady }) => serveTeam(service, store, settings, { isReady, office, log }),
    close: () => service.close(),
  };
}

/** Without an origin, it listens on loopback. */
const originOf = ({ origin, listen: { host, port }, tls }: ServeSettings): string =>
  origin ?? `http${tls ? 's' : ''}://${host.includes(':') ? `[${host}]` : host}:${port}`;

async function checkSealing(service: Service, { sealing }: ServeSettings): Promise<SettingsFinding> {
  const finding = await service.checkSealing();
  if (finding.state !== 'ok' || Object.keys(sealing).length > 0) return finding;
  return {
    state: 'warn',
    says: 'Documents are sealed by an authority of this installation, which programs do not trust by themselves.',
    hint: 'Set a certificate with ESIGN_SERVE_SEALING_P12, or give others the root certificate: `esign serve ca` prints it.',
  };
}

async function checkMail(service: Service, { smtp }: ConfiguredMail) {
  if (smtp) return service.checkMail();
  return {
    state: 'fail' as const,
    says: 'No mail server is set, so recipients would never get their links.',
    hint: 'Set ESIGN_SERVE_MAIL_SMTP and ESIGN_SERVE_MAIL_FROM. To serve without email, use --allow mail.',
  };
}

type ServeParts = TeamServeOptions & { office: string | undefined; log: Log };

async function serveTeam(
  service: Service,
  store: TeamStore,
  settings: ServeSettings,
  { isReady, office, log }: ServeParts,
): Promise<SandboxServer> {
  const { listen, trustedProxies, tls } = settings;
  const origin = settings.origin ?? (listen.port === 0 ? undefined : originOf(settings));
  return serve(service, {
    ...listen,
    origin,
    office,
    tls: tls && {
      cert: await secretFile(tls.cert, '--tls-cert'),
      key: await secretFile(tls.key, '--tls-key'),
    },
    onRequest: log.requested,
    clientAddress: trustProxies(trustedProxies),
    health: healthOf(store, isReady),
  });
}

type Log = {
  requested(line: RequestLine): void;
  failed(error: unknown, id: string): void;
  warned(check: string, message: string): void;
};

/** Writes a JSON object for each request and each failure, as programs that collect logs read them. It contains no query and no header. */
function createLog(err: Sink, isQuiet: boolean): Log {
  const write = (facts: Record<string, unknown>) =>
    err.write(`${JSON.stringify({ time: instantOf(systemClock()), ...facts })}\n`);
  return {
    requested({ method, path, status, durationMs, requestId }) {
      if (isQuiet) return;
      const duration_ms = Math.round(durationMs * 10) / 10;
      write({ level: 'info', method, path, status, duration_ms, request_id: requestId });
    },
    warned: (check, message) => write({ level: 'warn', check, message }),
    failed: (error, id) =>
      write({ level: 'error', request_id: id, message: causesOf(error).join('; caused by: ') }),
  };
}

/** `/healthz`: this process answers. `/readyz`: it can do its work, and may get requests. */
function healthOf({ database, installation }: TeamStore, isReady: () => boolean): HealthAnswers {
  const answer = (status: HealthAnswer['status'], facts: Record<string, unknown>): HealthAnswer => ({
    status,
    body: `${JSON.stringify(facts)}\n`,
  });
  return {
    '/healthz': async () => answer(200, { status: 'ok', installation }),
    async '/readyz'() {
      if (!isReady()) return answer(503, { status: 'stopping' });
      try {
        await database.read(countMigrations);
        return answer(200, { status: 'ready', installation });
      } catch {
        return answer(503, { status: 'database_unavailable' });
      }
    },
  };
}

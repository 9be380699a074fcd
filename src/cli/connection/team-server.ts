// Opens a team server on PostgreSQL, as `esign serve` runs it. Beside sandbox.ts, it is the only file of the command line that imports the
// service.
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { instantOf } from '../../common/instant.ts';
import type { Paths, Variables } from '../../config/environment.ts';
import { readDeliveryProxy } from '../../config/proxy.ts';
import { type ConfiguredMail, mailOf, sealingOf } from '../../config/sealing-and-mail.ts';
import { secretFile } from '../../config/secret-variable.ts';
import { readServeSettings, type ServeSettings, type TypedServeOptions } from '../../config/serve.ts';
import { trustAuthorities } from '../../http/authorities.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import { realClockOf, systemClock } from '../../service/clock.ts';
import type { McpAnswers } from '../../service/http/mcp.ts';
import { type Serving, serve } from '../../service/http/server.ts';
import type { BucketWatch } from '../../service/s3/bucket.ts';
import { announceServing, createHandover } from '../../service/serve/handover.ts';
import { createHealthAnswers } from '../../service/serve/health.ts';
import type { MetricsServer } from '../../service/serve/metrics.ts';
import { manageTeamUsers, openTeamStore, type TeamStore } from '../../service/serve/team-store.ts';
import { openTelemetry, type Telemetry } from '../../service/serve/telemetry.ts';
import { trustProxies } from '../../service/serve/trusted-proxies.ts';
import { createService, type Service } from '../../service/service.ts';
import { timeOrderedIds } from '../../service/store/rows.ts';
import { hasTransactions } from '../../service/store/transactions/transactions.ts';
import type { McpHttpOptions } from '../mcp/http.ts';
import { fileMask, onWarning } from '../process/edges.ts';
import type { Sink } from '../terminal/streams.ts';
import { authoritiesOf } from './certificate-authorities.ts';
import type { SettingsFinding, TeamServeOptions, TeamServer } from './connection.ts';
import { describeDatabase } from './describe-database.ts';
import { connectCaller } from './sandbox.ts';
import { createTeamLog, type TeamLog } from './service-log.ts';

export type TeamServerParts = {
  variables: Variables;
  workingDir: string;
  paths: Paths;
  documents: DocumentEngine;
  /** Which LibreOffice converts Word documents. */
  office: string | undefined;
  /** Takes the log, a JSON object a line. */
  err: Sink;
  isQuiet: boolean;
  /** Of the program. */
  version: string;
  /** Makes what answers the Model Context Protocol. */
  mcp(connect: McpHttpOptions['connect'], isSendingAllowed: boolean): McpAnswers;
  /** The number of this process, where there are several. */
  worker: number | undefined;
};

/** @throws ConfigError for a setting that is missing or wrong; what `openTeamStore` throws */
export const openConfigured = async (
  options: TypedServeOptions,
  parts: TeamServerParts,
): Promise<TeamServer> => openTeamServer(await readServeSettings(options, parts.variables), parts);

async function openTeamServer(settings: ServeSettings, parts: TeamServerParts): Promise<TeamServer> {
  fileMask();
  const { variables, paths, documents, version } = parts;
  const authorities = await authoritiesOf(parts);
  if (authorities) trustAuthorities(authorities);
  const log = createTeamLog({ ...parts, clock: systemClock });
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
      s3: settings.s3,
      migrates: settings.migrates,
    },
    { now: () => instantOf(systemClock()), newId: ids, random: randomBytes },
  );
  const bucket = await watchBucketOf(store, log);
  const telemetry = await openTelemetry({
    store,
    bucket,
    clock: realClockOf(store),
    version,
    hasMetrics: settings.metrics !== undefined,
    hasTracing: settings.hasTracing,
    onError: (error) => log.failed(error, 'traces'),
  });
  const service = await createService({
    store,
    documents,
    isSandbox: false,
    allowLoopbackReceivers: settings.hasLocalReceivers,
    origin: originOf(settings),
    allowedHosts: settings.allowedHosts,
    sealing: () => sealingOf(settings.sealing, variables),
    mail: () => mail,
    receivers: settings.receivers,
    sealsAtOnce: sealsAtOnceOf(settings),
    ...(deliveryProxy !== undefined && { posting: { proxy: deliveryProxy } }),
    onError: log.failed,
    observer: telemetry.observer,
  });
  return {
    installation: store.installation,
    hasServed: await store.database.read(hasTransactions),
    missingMigrations: store.database.missing,
    migrate: store.database.migrate,
    origin: service.origin,
    database: describeDatabase(settings.database),
    databaseVersion: store.databaseVersion,
    folder,
    keyFile: settings.keyFile,
    allow: settings.allow,
    required: settings.required,
    clockAheadMs: systemClock() - realClockOf(store)(),
    workers: settings.workers,
    warn: log.warned,
    note: log.noted,
    checkSealing: () => checkSealing(service, settings),
    checkMail: (to) => checkMail(service, mail, to),
    checkProxy: () => checkProxy(store, settings, parts),
    checkBlobs: () => checkBlobs(store, settings),
    async root() {
      const { ensureRoot } = await import('../../service/sealing/embedded-sealing.ts');
      const clock = () => instantOf(realClockOf(store)());
      return ensureRoot({ store, isSandbox: false, clock, random: randomBytes });
    },
    users: manageTeamUsers(store, { nowMs: realClockOf(store), newId: ids, random: randomBytes }),
    serve: (options) => serveTeam(service, store, settings, { ...options, ...parts, telemetry, bucket, log }),
    reservePorts: () => reservePorts(settings),
    announceServing: () => announceServing(store),
    urlAt: (port) => listeningUrl({ ...settings, listen: { ...settings.listen, port } }),
    serveWorkerMetrics: () => serveWorkerMetrics(settings),
    async close() {
      await service.close();
      await telemetry.close();
    },
  };
}

/** More of them need more memory, and more processes that answer requests. */
const MOST_SEALS_AT_ONCE = 4;

/** All processes of a node share the processors. */
const sealsAtOnceOf = ({ workers }: ServeSettings): number =>
  Math.min(MOST_SEALS_AT_ONCE, Math.ceil(availableParallelism() / workers));

/** Without an origin, it listens on loopback. */
const originOf = (settings: ServeSettings): string => settings.origin ?? listeningUrl(settings);

const listeningUrl = ({ listen: { host, port }, tls }: ServeSettings): string =>
  `http${tls ? 's' : ''}://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** @returns undefined where files are in the database */
async function watchBucketOf(
  { askBucket }: TeamStore,
  { noted, failed }: TeamLog,
): Promise<BucketWatch | undefined> {
  if (!askBucket) return undefined;
  const { watchBucket } = await import('../../service/s3/bucket.ts');
  return watchBucket({
    ask: askBucket,
    onChange(error) {
      if (error === undefined) noted('info', 'The bucket can be used again.');
      else failed(error, 'bucket');
    },
  });
}

async function checkSealing(service: Service, { sealing }: ServeSettings): Promise<SettingsFinding> {
  const finding = await service.checkSealing();
  if (finding.state !== 'ok' || Object.keys(sealing).length > 0) return finding;
  return {
    state: 'warn',
    says: 'Documents are sealed by an authority of this installation, which programs do not trust by themselves.',
    hint: 'Set a certificate with ESIGN_SERVE_SEALING_P12, or give others the root certificate: `esign serve ca` prints it.',
  };
}

/** Replaces the hints for the sandbox, which name its settings and its mailbox. */
const MAIL_HINTS = {
  fail: 'Check ESIGN_SERVE_MAIL_SMTP, ESIGN_SERVE_MAIL_TLS, ESIGN_SERVE_MAIL_USER and ESIGN_SMTP_PASSWORD.',
  warn: 'The pages of their transactions at the dashboard say why. Send one again with `esign tx remind ID`.',
};

async function checkMail(service: Service, { smtp }: ConfiguredMail, to: string | undefined) {
  if (smtp) {
    const finding = await service.checkMail();
    if (to !== undefined && finding.state !== 'fail') return service.sendTrialLetter(to);
    return finding.state === 'ok' ? finding : { ...finding, hint: MAIL_HINTS[finding.state] };
  }
  return {
    state: 'fail' as const,
    says: 'No mail server is set, so recipients would never get their links.',
    hint: 'Set ESIGN_SERVE_MAIL_SMTP and ESIGN_SERVE_MAIL_FROM. To serve without email, use --allow mail.',
  };
}

async function checkBlobs({ probeBlobs }: TeamStore, { s3 }: ServeSettings): Promise<SettingsFinding> {
  if (!probeBlobs || !s3) return { state: 'ok', says: 'Files are stored in the database.' };
  await probeBlobs();
  const { endpoint } = s3.access;
  const says = `An object was written to ${s3.location}${endpoint === undefined ? '' : ` at ${endpoint}`}, read and removed.`;
  if (endpoint === undefined || isSafe(new URL(endpoint))) return { state: 'ok', says };
  return {
    state: 'warn',
    says: `${says} Files are sent there without encryption.`,
    hint: 'Set --s3-endpoint to an https:// URL, unless the network between is your own.',
  };
}

const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/**
 * Listens for a moment, at both addresses at once. A proxy may send requests meanwhile: they get 503, and are sent again. Another program may still take
 * a port before the node listens; the errors of the node say so.
 */
async function reservePorts({ listen, metrics, tls }: ServeSettings): Promise<void> {
  const { listenForProbe } = await import('../../service/serve/check-origin.ts');
  const servers: { close(): Promise<void> }[] = [];
  try {
    servers.push(await listenForProbe({ ...listen, tls: await readTls(tls), health: {} }));
    if (metrics) servers.push(await listenForProbe({ ...metrics, tls: undefined, health: {} }));
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

type ServeParts = TeamServeOptions &
  Pick<TeamServerParts, 'office' | 'worker' | 'mcp'> & {
    telemetry: Telemetry;
    bucket: BucketWatch | undefined;
    log: TeamLog;
  };

async function serveTeam(
  service: Service,
  store: TeamStore,
  settings: ServeSettings,
  { isReady, warnings, office, worker, telemetry, bucket, log, mcp }: ServeParts,
): Promise<Serving> {
  // A program that collects the log reads JSON.
  onWarning(({ name, message }) => log.noted('warn', `${name}: ${message}`));
  const { listen, tls } = settings;
  const proxies = trustProxies(settings.trustedProxies, settings.clientHeader);
  const handover = createHandover(store);
  const mayGetRequests = () => isReady() && handover.isReady();
  const origin = settings.origin ?? (listen.port === 0 ? undefined : originOf(settings));
  const serving = await serve(service, {
    ...listen,
    origin,
    office,
    sealsAtOnce: sealsAtOnceOf(settings),
    tls: await readTls(tls),
    mcp: mcp(
      (token) => (beforeCall) => connectCaller(service, token, { isSandbox: false, beforeCall }),
      settings.allowsMcpSending,
    ),
    onRequest: log.requested,
    clientAddress: proxies.clientOf,
    isReady,
    health: createHealthAnswers(store, { isReady: mayGetRequests, warnings, proxies, bucket }),
    async untilReplaced(signal) {
      log.noted(
        'warn',
        'A newer version of esign has changed the tables. This node still answers what only reads, until a node of that version serves.',
      );
      await handover.untilReplaced(signal);
    },
  });
  telemetry.metrics?.setStartWarnings(warnings);
  // The first process serves the metrics of its workers.
  if (!settings.metrics || !telemetry.metrics || worker !== undefined) return serving;
  try {
    const { serveMetrics } = await import('../../service/serve/metrics.ts');
    const metrics = await serveMetrics(settings.metrics, telemetry.metrics.text);
    return closeBoth(serving, metrics);
  } catch (error) {
    await serving.close();
    throw error;
  }
}

const readTls = async (tls: ServeSettings['tls']) =>
  tls && {
    cert: await secretFile(tls.cert, '--tls-cert'),
    key: await secretFile(tls.key, '--tls-key'),
  };

/**
 * Asks the origin. Where no node answers, it listens for a moment and asks again, so that the first node of an installation finds itself. It does not
 * listen where another node answers: the proxy would send requests of clients to this one.
 */
async function checkProxy(
  store: TeamStore,
  settings: ServeSettings,
  { variables, workingDir }: TeamServerParts,
): Promise<SettingsFinding> {
  const { checkOrigin, listenForProbe } = await import('../../service/serve/check-origin.ts');
  const { installation, keys } = store;
  const origin = originOf(settings);
  const hosts = [new URL(origin).hostname, 'localhost', '127.0.0.1', '[::1]', ...settings.allowedHosts];
  const proxies = trustProxies(settings.trustedProxies, settings.clientHeader);
  const health = createHealthAnswers(store, { isReady: () => false, warnings: [], proxies });
  const tls = await readTls(settings.tls);
  const ask = async () =>
    checkOrigin({
      origin,
      installation,
      keys,
      random: randomBytes,
      isServed: (hostname) => hosts.includes(hostname),
      clientHeader: proxies.header,
      hasTls: tls !== undefined,
      authorities: await authoritiesOf({ variables, workingDir }),
      isRequired: settings.required.includes('proxy'),
    });
  const { reachedNothing, ...finding } = await ask();
  if (!reachedNothing) return finding;
  // Where the port cannot be opened, a node is listening there, or the start will report why.
  const listening = await listenForProbe({ ...settings.listen, tls, health }).catch((error: unknown) => {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
  });
  if (!listening) return finding;
  try {
    const { reachedNothing: _, ...again } = await ask();
    return again;
  } finally {
    await listening.close();
  }
}

/** Metrics are served until the last request is finished. */
const closeBoth = (serving: Serving, metrics: MetricsServer): Serving => ({
  ...serving,
  async close() {
    await serving.close();
    await metrics.close();
  },
});

/** Serves the figures of all workers of this process, where metrics are configured. */
async function serveWorkerMetrics({ metrics }: ServeSettings): Promise<MetricsServer | undefined> {
  if (!metrics) return undefined;
  const { serveMetrics } = await import('../../service/serve/metrics.ts');
  const { readWorkerMetrics } = await import('../../service/serve/metrics.ts');
  return serveMetrics(metrics, readWorkerMetrics());
}

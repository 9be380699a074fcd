// Opens the sandbox as a connection: the embedded service in this process, or served on a port. This is the only file of the
// command line that imports the service.
import { createClient } from '../../api/client.ts';
import { type Transport, withBearer } from '../../api/transport.ts';
import { type Profile, SANDBOX } from '../../config/profile.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { McpAnswers } from '../../service/http/mcp.ts';
import type { MailSettings } from '../../service/mail/settings.ts';
import type { SealingSettings } from '../../service/sealing/configured-sealing.ts';
import { createService, type Service } from '../../service/service.ts';
import type { SandboxServeOptions } from '../command/context.ts';
import type { Settings } from '../command/settings.ts';
import { fileMask } from '../process/edges.ts';
import type { OnAnswer } from '../recent/recorder.ts';
import { safeText } from '../terminal/safe-text.ts';
import type { Sink } from '../terminal/streams.ts';
import type { Connection, SandboxConnection, SandboxFileFinding, SandboxServer } from './connection.ts';
import type { FailureLog } from './service-log.ts';

export type { Service };

export async function openSandbox(
  dataDir: string,
  { documents, failures, sealing, mail, deliveryProxy }: SandboxServiceParts,
): Promise<Service> {
  fileMask();
  return createService({
    dataDir,
    documents,
    sealing,
    ...(mail && { mail: () => mail }),
    ...(deliveryProxy !== undefined && { posting: { proxy: deliveryProxy } }),
    onError: failures.write,
    onFault: failures.writeFault,
  });
}

export type SandboxServiceParts = {
  documents: DocumentEngine;
  failures: FailureLog;
  /** Reads the settings for sealing. Called when a document is sealed. */
  sealing: () => Promise<SealingSettings>;
  /** How mail is sent; undefined where it stays in the sandbox. */
  mail: MailSettings | undefined;
  /** The proxy that events are sent through; undefined for none. */
  deliveryProxy: string | undefined;
};

/** Checks the files of the sandbox without opening it as a service. */
export async function inspectSandbox(
  folder: string,
  options: { deep: boolean; signal: AbortSignal },
): Promise<readonly SandboxFileFinding[] | undefined> {
  const { inspectStore } = await import('../../service/store/state/inspect.ts');
  return inspectStore(folder, options);
}

export type SandboxParts = {
  /** Interruption, trace and faults. */
  decorate(transport: Transport): Promise<Transport>;
  onAnswer: OnAnswer;
  /** Called before each request: prints the notes that were held back. */
  beforeCall(): void;
};

export async function connectSandbox(
  profile: Profile,
  service: Service,
  { decorate, onAnswer, beforeCall }: SandboxParts,
): Promise<SandboxConnection> {
  const own = withBearer(service.transport, { token: () => service.ownToken });
  const transport = await decorate((call) => {
    beforeCall();
    return own(call);
  });
  const { origin, controlSecret } = service;
  const { routes, idempotency, takesFieldValues, takesPreparations, makesRecipientIds, sender } = profile;
  return {
    client: createClient({ baseUrl: origin, transport, routes, controlSecret, onAnswer }),
    profile: SANDBOX,
    service: SANDBOX,
    isSandbox: true,
    origin,
    appUrl: origin,
    scopes: undefined,
    dashboardUrl: origin,
    idempotency,
    takesFieldValues,
    takesPreparations,
    makesRecipientIds,
    baseUrl: origin,
    transport,
    routes,
    controlSecret,
    sender,
    ownUser: service.sender,
    fieldErrors: (fields) => service.fieldErrors(fields),
  };
}

export type CallerParts = Pick<SandboxParts, 'beforeCall'> & { isSandbox: boolean };

/**
 * Connects a caller of the service that this process serves, as whom the access token belongs to. A call that has begun is waited for, because it
 * goes on in this process.
 */
export function connectCaller(
  service: Service,
  token: string,
  { isSandbox, beforeCall }: CallerParts,
): Connection & { origin: string } {
  const { origin, controlSecret } = service;
  const withToken = withBearer(service.transport, { token: () => token });
  const transport: Transport = async (call) => {
    beforeCall();
    return withToken(call);
  };
  const client = createClient({
    baseUrl: origin,
    transport,
    routes: {},
    ...(isSandbox && { controlSecret }),
  });
  return {
    client,
    profile: isSandbox ? SANDBOX : 'esign',
    service: origin,
    isSandbox,
    origin,
    appUrl: origin,
    scopes: undefined,
    dashboardUrl: origin,
    idempotency: true,
    takesFieldValues: true,
    takesPreparations: true,
    makesRecipientIds: true,
    baseUrl: origin,
    transport,
    routes: {},
    sender: undefined,
    ownUser: undefined,
    async requestOwnUser() {
      const { name, email } = await client['user.me']();
      return name ? { name, email } : undefined;
    },
    fieldErrors: (fields) => service.fieldErrors(fields),
  };
}

/** How long a command waits for deliveries at its end. */
const DELIVER_WITHIN_MS = 2000;

export type LastDeliveries = { abort: AbortSignal; note(sentence: string): void; failures: FailureLog };

/**
 * Sends the events and mails that are due, unless a server does so anyway, and says what the command caused and could not send.
 * A command that has done its work does not fail for it: what waits is sent by a later one.
 */
export async function deliverBeforeEnd(service: Service, parts: LastDeliveries): Promise<void> {
  try {
    await deliverWhatIsDue(service, parts);
  } catch (error) {
    // `sandbox serve` has printed it already.
    if ((error as Error).name !== 'NewerStoreError') parts.failures.write(error, 'deliveries');
  }
}

async function deliverWhatIsDue(service: Service, { abort, note }: LastDeliveries): Promise<void> {
  if (service.isReadOnly) return;
  const before = await service.leftToDeliver();
  if (before && before.events + before.mails > 0 && !before.isWorked && !abort.aborted)
    await deliver(service, { abort, note });
  const undelivered = service.undeliveredMails();
  if (undelivered > 0)
    note(
      `${undelivered === 1 ? '1 email' : `${undelivered} emails`} could not be delivered. To see why, run \`esign sandbox mailbox list\`.`,
    );
}

async function deliver(
  service: Service,
  { abort, note }: { abort: AbortSignal; note(sentence: string): void },
): Promise<void> {
  await service.deliver({ withinMs: DELIVER_WITHIN_MS, signal: abort });
  const left = await service.leftToDeliver();
  if (!left) return;
  const serve = 'To keep sending, run `esign sandbox serve`.';
  if (left.events > 0)
    note(
      `${counted(left.events, 'event')} not delivered yet (\`esign events list --undelivered\`). ${serve}`,
    );
  if (left.mails > 0)
    note(`${counted(left.mails, 'email')} not sent yet (\`esign sandbox mailbox list\`). ${serve}`);
}

const counted = (count: number, what: string): string =>
  count === 1 ? `1 ${what} is` : `${count} ${what}s are`;

const LOOPBACK = '127.0.0.1';

export type ServingParts = {
  settings: Settings;
  err: Sink;
  failures: FailureLog;
  /** Which LibreOffice converts Word documents. */
  office: string | undefined;
  mcp?: McpAnswers;
};

export async function startSandboxServer(
  service: Service,
  { host, port, origin, isSilent }: SandboxServeOptions,
  { settings, err, failures, office, mcp }: ServingParts,
): Promise<SandboxServer> {
  const [{ serve }, { createSandboxHealthAnswers }] = await Promise.all([
    import('../../service/http/server.ts'),
    import('../../service/serve/health.ts'),
  ]);
  failures.begin();
  return serve(service, {
    // An empty value, as of a variable that is not set, would be every address of the machine.
    host: host || LOOPBACK,
    port: port ?? Number(new URL(service.origin).port),
    origin,
    office,
    mcp,
    health: createSandboxHealthAnswers(service.leftToDeliver),
    onRequest({ method, path, status, durationMs, requestId, fault }) {
      if (!settings.quiet && !isSilent)
        err.write(
          `${safeText(method)} ${safeText(path)} ${status} ${durationMs.toFixed(1)} ms ${requestId ?? ''}${fault === undefined ? '' : ` fault: ${fault}`}\n`,
        );
    },
  });
}

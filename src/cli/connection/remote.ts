// Connects to a service over HTTP: transport, token and client. It is loaded only when a command uses a
// remote service.

import { type Client, createClient } from '../../api/client.ts';
import { withBearer } from '../../api/transport.ts';
import { once } from '../../common/once.ts';
import type { Profile } from '../../config/profile.ts';
import { type KnownAccess, openAccess, userOfToken } from './access-token.ts';
import type { Connection } from './connection.ts';
import { findAddresses } from './find-addresses.ts';
import { openRemoteTransport, type RemoteParts } from './remote-transport.ts';

export async function connectRemote(
  profile: Profile,
  remote: NonNullable<Profile['remote']>,
  parts: RemoteParts,
): Promise<Connection> {
  const { baseUrl } = remote;
  const plain = await openRemoteTransport(profile, parts);
  const access = await openAccess(profile, baseUrl, plain, parts);
  const transport = withBearer(plain, access);
  const client = createClient({ baseUrl, transport, routes: profile.routes, onAnswer: parts.onAnswer });
  return {
    client,
    profile: profile.name,
    service: baseUrl,
    isSandbox: false,
    appUrl: remote.appUrl,
    dashboardUrl: remote.dashboardUrl,
    requestAddresses: once(async () => {
      const { environment, interruption } = parts;
      const { abort, checkpoint } = interruption;
      // The command can say what it knows without them.
      return findAddresses({ environment, abort, checkpoint }, baseUrl).catch(() => {
        checkpoint();
        return undefined;
      });
    }),
    scopes: access.scopes,
    idempotency: profile.idempotency,
    takesFieldValues: profile.takesFieldValues,
    takesPreparations: profile.takesPreparations,
    makesRecipientIds: profile.makesRecipientIds,
    baseUrl,
    transport,
    routes: profile.routes,
    sender: profile.sender,
    ownUser: access.user ?? undefined,
    isUserUntold: access.user === null,
    async requestOwnUser() {
      const user = await userOfToken(client);
      parts.interruption.checkpoint();
      if (user) await access.rememberUser?.(user).catch(() => undefined);
      return user;
    },
    refusedSenders: access.refusedSenders,
    rememberRefusedSender: access.rememberRefusedSender,
  };
}

/** Opens the login itself, for printing its tokens. */
export async function accessOfRemote(
  profile: Profile,
  { baseUrl }: NonNullable<Profile['remote']>,
  parts: RemoteParts,
): Promise<KnownAccess> {
  return openAccess(profile, baseUrl, await openRemoteTransport(profile, parts), parts);
}

/**
 * Connects before there is a login. @param token absent for the exchange of a code, which carries none (spec §5); with a token,
 * the user of it can be requested before it is stored
 */
export async function connectRemoteWithoutLogin(
  profile: Profile,
  parts: RemoteParts,
  token?: string,
): Promise<Client> {
  const plain = await openRemoteTransport(profile, parts);
  const transport = token === undefined ? plain : withBearer(plain, { token: () => token });
  return createClient({ baseUrl: profile.remote?.baseUrl ?? '', transport, routes: profile.routes });
}

// A connection to a service over HTTP: its transport, the token that goes along, the client over both. Loaded only when
// a remote is spoken to.
import { createClient } from '../api/client.ts';
import { withBearer } from '../api/transport.ts';
import type { Profile } from '../config/profile.ts';
import { accessOf } from './access.ts';
import type { Connection } from './app.ts';
import type { RemoteParts } from './remote-parts.ts';
import { openRemoteTransport } from './remote-transport.ts';

export async function connectRemote(
  profile: Profile,
  remote: NonNullable<Profile['remote']>,
  parts: RemoteParts,
): Promise<Connection> {
  const access = await accessOf(profile, remote, parts);
  const transport = withBearer(await openRemoteTransport(profile, parts), access.token);
  const { baseUrl } = remote;
  return {
    client: createClient({ baseUrl, transport, routes: profile.routes, onAnswer: parts.onAnswer }),
    profile: profile.name,
    service: baseUrl,
    isSandbox: false,
    appUrl: remote.appUrl,
    idempotency: profile.idempotency,
    baseUrl,
    transport,
    routes: profile.routes,
    sender: profile.sender,
    ownUser: undefined,
  };
}

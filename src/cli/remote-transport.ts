// The transport to a remote service, with everything a command wants of it.
import { remoteTransport } from '../api/remote.ts';
import type { Transport } from '../api/transport.ts';
import type { Profile } from '../config/profile.ts';
import type { RemoteParts } from './remote-parts.ts';

export const openRemoteTransport = (
  _profile: Profile,
  { decorate, interruption }: RemoteParts,
): Promise<Transport> => decorate(remoteTransport(interruption.abort));

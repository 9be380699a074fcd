// What the parts of a connection to a remote service are made from.
import type { ClientOptions } from '../api/client.ts';
import type { Transport } from '../api/transport.ts';
import type { Environment } from '../config/environment.ts';
import type { Paths } from '../config/paths.ts';
import type { Interruption } from './interruption.ts';
import type { Talk } from './terminal/talk.ts';

export type RemoteParts = {
  environment: Environment;
  paths: Paths;
  interruption: Interruption;
  talk: Talk;
  /** Interruption, trace and faults. */
  decorate(transport: Transport): Promise<Transport>;
  /** What is closed when the command ends. */
  opened: { close(): Promise<void> }[];
  onAnswer: NonNullable<ClientOptions['onAnswer']>;
};

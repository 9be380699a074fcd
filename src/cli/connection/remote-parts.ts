// What a connection to a remote service is made from.
import type { ClientOptions } from '../../api/client.ts';
import type { Transport } from '../../api/transport.ts';
import type { Environment } from '../../config/environment.ts';
import type { Paths } from '../../config/paths.ts';
import type { Interruption } from '../process/interruption.ts';
import type { Progress } from '../terminal/progress.ts';

export type RemoteParts = {
  environment: Environment;
  paths: Paths;
  interruption: Interruption;
  progress: Progress;
  /** Interruption, trace and faults. */
  decorate(transport: Transport): Promise<Transport>;
  /** Registers what must be closed when the command ends. */
  closeAtEnd<T extends { close(): Promise<void> }>(one: T): T;
  onAnswer: NonNullable<ClientOptions['onAnswer']>;
};

// Everything a service seals with, and what a certificate has to say about it.
import type { OwnAuthority } from '../../pdf/certificate/content.ts';
import type { Sealing } from '../../pdf/sign/seal.ts';

/** `ownAuthority` is set where the authority of the store issued the certificate of the seal: with what else it issued. */
export type ServiceSealing = Sealing & { ownAuthority?: OwnAuthority | undefined };

// The certificate authorities that connections of this process to other services trust, where they are more than those of Node. Node has no such
// setting before version 22.19, so that each module that opens such a connection asks here. PostgreSQL has settings of its own.

let trusted: readonly string[] | undefined;

/** @param authorities all of them in PEM, those of Node included */
export function trustAuthorities(authorities: readonly string[]): void {
  trusted = authorities;
}

/** Options of a TLS connection: empty where Node's own authorities count. */
export const trustedAuthorities = (): { ca?: string[] } => (trusted ? { ca: [...trusted] } : {});

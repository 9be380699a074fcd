// Makes zod interpret schemas. It compiles each object schema on its first use, which pays after thousands of requests; one
// command makes a dozen.
import * as z from 'zod';

/** Turns compilation off. It must be called before the contract is loaded, because a schema decides when it is made. */
export function interpretSchemas(): void {
  z.config({ jitless: true });
}

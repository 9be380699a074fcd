// zod compiles each object schema on its first use. That pays after thousands of requests; one command makes a dozen.
import * as z from 'zod';

/** To be called before the contract is loaded: a schema decides when it is made. */
export function interpretSchemas(): void {
  z.config({ jitless: true });
}

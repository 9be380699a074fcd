// Makes zod interpret schemas, for a command that imports this first: a schema decides when it is made. By default, zod compiles each object
// schema on its first use, which pays after thousands of requests; one command makes a dozen.
import * as z from 'zod';

z.config({ jitless: true });

// The published entry `esign/service`: the embedded service for programs and their tests.
export type { ServeOptions, Serving } from './server.ts';
export { serve } from './server.ts';
export type { Service, ServiceOptions } from './service.ts';
export { createService } from './service.ts';

// Is the published entry `@esign-cli/esign/service`: the embedded service for programs and their tests. Its types promise
// less than the service has.
import { serve as serveOnPort } from './http/server.ts';
import type { ServeOptions, Service, ServiceOptions, Serving } from './published-types.ts';
import { type Service as WholeService, createService as wholeService } from './service.ts';

/** Opens the store in a folder and answers calls; opens no port. */
export const createService: (options: ServiceOptions) => Promise<Service> = wholeService;

/** Puts a service on a port, does what becomes due and delivers events until it is closed. */
export const serve: (service: Service, options: ServeOptions) => Promise<Serving> = (service, options) =>
  // Whatever `createService` made is the whole service.
  serveOnPort(service as WholeService, options);

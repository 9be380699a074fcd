// The published entry `esign`: a client of a service for programs, over `fetch`. It runs in Node, browsers, workers and wherever
// else there is a `fetch`, so it imports nothing of Node. Everything that these files export is public (scripts/declarations.js).
export type * from './contract.ts';
export * from './create-client.ts';
export * from './errors.ts';
export type * from './options.ts';
export * from './verify-webhook.ts';

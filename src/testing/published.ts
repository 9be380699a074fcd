// The published entry `@esign-cli/esign/testing`: a sandbox for the tests of other programs.
import { createTestSandbox } from './create-sandbox.ts';
import type { Sandbox, SandboxOptions } from './sandbox.ts';

/** Opens a sandbox of its own. Many can be open in one process. Close it, or open it with `await using`. */
export const createSandbox: (options?: SandboxOptions) => Promise<Sandbox> = (options = {}) =>
  createTestSandbox(options);

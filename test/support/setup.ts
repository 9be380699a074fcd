// Runs before each test file. Tests send HTTP requests with Node's own fetch. The undici that is loaded first becomes its dispatcher: it must be
// Node's own, or a test that loads the package breaks the tests after it in the same worker.
import { PROPERTY_DEFAULTS } from './random.ts';

await fetch('data:,');

const { configureGlobal } = await import('fast-check');
configureGlobal(PROPERTY_DEFAULTS);

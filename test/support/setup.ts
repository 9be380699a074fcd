// Runs before each test file. Tests ask over HTTP with Node's own fetch. Whichever undici is loaded first becomes its dispatcher: Node's own must
// be, or else a test that loads the package breaks the ones after it in the same worker.
await fetch('data:,');

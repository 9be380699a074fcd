#!/usr/bin/env node
// The launcher: checks the Node version, then hands over to the built entry. It must never do anything else.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`esign needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}
await import('../dist/main.js');

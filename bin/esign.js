#!/usr/bin/env node
// The launcher: checks the Node version, answers `--version` before anything is loaded, and hands over to the built
// entry. It must never do anything else. CommonJS (see package.json beside it), because that starts faster.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`esign needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else if (process.argv[2] === '--version' || process.argv[2] === '-V') {
  process.stdout.write(`${require('../package.json').version}\n`);
} else {
  import('../dist/main.js');
}

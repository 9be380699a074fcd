#!/usr/bin/env node
// The launcher: checks the Node version, answers `--version`, help and TAB from what the build prepared, before anything
// else is loaded, and hands over to the built entry. CommonJS (see package.json beside it), because that starts faster.
const [major, minor] = process.versions.node.split('.').map(Number);
const words = process.argv.slice(2);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`esign needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else if (words[0] === '--version' || words[0] === '-V') {
  process.stdout.write(`${require('../package.json').version}\n`);
} else if (words[0] === '__complete') {
  require('../dist/completion.cjs');
} else if (!answeredHelp()) {
  import('../dist/main.js');
}

/** Only lines that the build knows word for word; whatever is wrong here, the program itself answers. */
function answeredHelp() {
  const isHelp =
    words.length === 0 || words[0] === 'help' || words.at(-1) === '--help' || words.at(-1) === '-h';
  if (!isHelp) return false;
  const { readFileSync, writeSync } = require('node:fs');
  let rest;
  try {
    const prepared = JSON.parse(readFileSync(`${__dirname}/../dist/help.json`, 'utf8'));
    const text = prepared.texts[prepared.words[JSON.stringify(words)]];
    if (text === undefined) return false;
    rest = Buffer.from(text);
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch (error) {
    if (error.code === 'EAGAIN') process.stdout.write(rest);
    // A reader that went away is no error.
    else return error.code === 'EPIPE';
  }
  return true;
}

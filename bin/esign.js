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
  void program()?.start(words);
}

function program() {
  try {
    return require('../dist/start.cjs');
  } catch (error) {
    if (require('node:fs').existsSync(`${__dirname}/../dist/start.cjs`)) throw error;
    process.stderr.write('esign has not been built. Run `npm ci` in its directory.\n');
    process.exitCode = 1;
  }
}

/** Only lines that the build knows word for word; whatever is wrong here, the program itself answers. */
function answeredHelp() {
  const isHelp =
    words.length === 0 || words[0] === 'help' || words.at(-1) === '--help' || words.at(-1) === '-h';
  if (!isHelp) return false;
  try {
    return require('../dist/help.cjs').answerHelp(words);
  } catch {
    return false;
  }
}

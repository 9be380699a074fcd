// Checks whether a model can work with the skill, or with the tools of `esign mcp`: esign/evals.json has tasks, and what must be true after each.
//   node skill-evals/run.js --model COMMAND [--mcp] [--assistant] [--only ID,…] [--json]
//
// COMMAND speaks for the model. It is started with `sh` once for each task, and everything between it and this program is a line of JSON:
//   it reads     {"id": "…", "skill": "the text of SKILL.md", "prompt": "the task"}
//   it writes    {"run": "COMMAND"}   to run a command in the folder of the task
//   it reads     {"code": 0, "out": "…", "err": "…"}   what the command printed, at most 20,000 characters of each
//   it writes    {"answer": "…"}   what it tells the user, which ends the task
// The folder of references/ is in the variable ESIGN_SKILL. Each task has an empty sandbox and a folder of its own. Its commands run as the
// user who runs this program, so put it into a container for a model that you do not trust.
//
// With --mcp, the model gets the tools of `esign mcp` instead of the skill, and no command line:
//   it reads     {"id": "…", "instructions": "…", "tools": […], "prompt": "the task"}   the tools as the server lists them
//   it writes    {"call": "TOOL", "input": {…}}   to call a tool
//   it reads     {"isError": false, "content": […]}   the result of the call; texts and pictures are cut after 20,000 characters
// A task that no tool can do is left out with the reason; one that asks for a file that no tool writes asks for an answer instead. Tools return signing
// links of the sandbox, where they lead to nobody; all other secrets count.
//
// With --assistant, commands run with CLAUDECODE=1, as in an assistant that sets a variable: esign hides secrets by itself then, whatever is called.
// A task passes when all checks hold and no secret is in its transcript: no token, no webhook secret, and no signing link of a recipient.
// Exit code 0: all passed; 1: not all; 2: the command line is wrong.
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SKILL = join(ROOT, 'skills/esign');
const FOLDER_OF_FILES = join(ROOT, 'skill-evals/esign/files');
const MOST_COMMANDS = 40;
const MOST_CHARACTERS = 20_000;
const COMMAND_MS = 300_000;
const TASK_MS = 900_000;
/** Tasks that run at the same time. */
const AT_ONCE = 2;

/** Each secret of a sandbox has 32 random bytes: in base64 behind `whsec_`, in links and elsewhere in base64url without padding. */
const SECRET = /whsec_[A-Za-z0-9+/]{16,}|(?<![\w-])[\w-]{43}(?![\w-])/;

/** Part of what the tools return of a transaction of the sandbox. */
const LINK_OF_SANDBOX = /\/sign\?token=[\w-]+/g;

/** Settings of this user, and the variables by which a program knows assistants: the skill alone has to keep secrets out. */
const NOT_INHERITED = /^(ESIGN_|GITHUB_|CI$|CLAUDE|CODEX_|CURSOR_|GEMINI_|CLINE_|OPENCODE|AI_AGENT$|AGENT$)/;

const options = readOptions();
if (options) await main(options);

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        model: { type: 'string' },
        mcp: { type: 'boolean', default: false },
        assistant: { type: 'boolean', default: false },
        only: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
    if (values.model !== undefined) return values;
    process.stderr.write('Name the command that speaks for the model: --model COMMAND\n');
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
  }
  process.exitCode = 2;
  return undefined;
}

async function main({ only, json, ...how }) {
  const { mcp } = how;
  const { evals: tasks } = JSON.parse(readFileSync(join(ROOT, 'skill-evals/esign/evals.json'), 'utf8'));
  const evals = mcp ? tasks.map((task) => ({ ...task, ...task.mcp })) : tasks;
  const chosen = only === undefined ? evals : evals.filter(({ id }) => only.split(',').includes(id));
  if (chosen.length === 0) {
    process.stderr.write(`No task is called ${only}. Tasks: ${evals.map(({ id }) => id).join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  const waiting = [...chosen];
  const results = new Map();
  const worker = async () => {
    for (let task = waiting.shift(); task; task = waiting.shift())
      results.set(
        task,
        mcp && task.impossible ? { id: task.id, skipped: task.impossible } : await runTask(task, how),
      );
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const list = chosen.map((task) => results.get(task));
  process.stdout.write(json ? `${JSON.stringify(list, null, 2)}\n` : list.map(linesOf).join(''));
  process.exitCode = list.every(({ passed, skipped }) => passed || skipped) ? 0 : 1;
}

function linesOf({ id, passed, checks, skipped }) {
  if (skipped) return `none  ${id}: ${skipped}\n`;
  const failures = checks.filter((check) => !check.holds);
  return [
    `${passed ? 'pass' : 'FAIL'}  ${id}
`,
    ...failures.map(
      ({ about, why }) => `      ${about}: ${why}
`,
    ),
  ].join('');
}

/** Runs a task in a folder of its own, which is removed afterwards. */
async function runTask(task, { model, mcp: isMcp, assistant: isAssistant }) {
  const root = mkdtempSync(join(tmpdir(), 'esign-eval-'));
  const place = openPlace(root);
  const receiver = { types: [], close: async () => {} };
  let tools;
  try {
    for (const name of task.files)
      cpSync(
        name === 'contract.pdf' ? join(ROOT, 'test/fixtures/contract.pdf') : join(FOLDER_OF_FILES, name),
        join(place.folder, name),
      );
    if (task.receiver) await openReceiver(task.receiver, place, receiver);
    for (const line of task.setup) {
      const { code, err } = await place.run(line);
      if (code !== 0)
        return {
          id: task.id,
          passed: false,
          checks: [{ about: 'The setup of the task', holds: false, why: `${line}: ${err}` }],
        };
    }
    const prompt = promptOf(task, place);
    const later = task.later === undefined ? undefined : place.run(task.later);
    const acting = isAssistant ? placeOfAssistant(place) : place;
    tools = isMcp ? await openTools(acting) : undefined;
    const actions = tools ?? openShell(acting);
    const { transcript, answer, problem } = await converse(model, { task, prompt, actions });
    await later;
    const checks = [];
    for (const [index, check] of task.checks.entries())
      checks.push({ about: task.expectations[index], ...(await holds(check, { place, answer, receiver })) });
    checks.push({
      about: 'No secret is in the transcript',
      ...hasNoSecret(isMcp ? transcript.map((line) => line.replaceAll(LINK_OF_SANDBOX, '')) : transcript),
    });
    if (problem) checks.push({ about: 'The model keeps to the protocol', holds: false, why: problem });
    const withReason = ({ why, ...check }) => (check.holds ? check : { ...check, why });
    return {
      id: task.id,
      passed: checks.every((check) => check.holds),
      checks: checks.map(withReason),
      transcript,
    };
  } finally {
    await tools?.close();
    await receiver.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** Makes a sandbox and a folder, and what runs commands in them. */
function openPlace(root) {
  const folder = join(root, 'work');
  const bin = join(root, 'bin');
  for (const path of [folder, bin]) mkdirSync(path);
  const quoted = [process.execPath, join(ROOT, 'bin/esign.js')].map(
    (word) => `'${word.replaceAll("'", "'\\''")}'`,
  );
  writeFileSync(join(bin, 'esign'), `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`);
  chmodSync(join(bin, 'esign'), 0o755);
  const inherited = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    ESIGN_HOME: join(root, 'home'),
    ESIGN_SKILL: SKILL,
  };
  return placeWith(folder, env);
}

function placeWith(folder, env) {
  return { folder, env, run: (line) => runLine(line, { cwd: folder, env }) };
}

/** The same place with the variable of an assistant, for what the model runs. */
function placeOfAssistant({ folder, env }) {
  return placeWith(folder, { ...env, CLAUDECODE: '1' });
}

function runLine(line, { cwd, env }) {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', line], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: COMMAND_MS,
    });
    const printed = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (printed.out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (printed.err += text));
    child.on('error', (error) => resolve({ code: 127, out: '', err: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 124, ...printed }));
  });
}

/** `$ID` and the addresses of receivers stand in prompts as a user would write them. */
function promptOf(task, { folder, env }) {
  return task.prompt.replaceAll(/\$(ID|HTTPS?_RECEIVER)/g, (_, name) =>
    name === 'ID' ? readFileSync(join(folder, 'ID'), 'utf8').trim() : env[name],
  );
}

/** Starts a receiver of events on this machine, which notes the types of what it receives. */
async function openReceiver(scheme, place, receiver) {
  const answer = (request, response) => {
    let body = '';
    request.on('data', (text) => (body += text));
    request.on('end', () => {
      receiver.types.push(request.headers['webhook-signature'] ? typeOf(body) : 'without a signature');
      response.writeHead(204).end();
    });
  };
  const server =
    scheme === 'https' ? createTlsServer(await certificateOf(place), answer) : createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  place.env[`${scheme.toUpperCase()}_RECEIVER`] = `${scheme}://localhost:${port}/hook`;
  receiver.close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
}

async function certificateOf({ folder, run }) {
  const { code, err } = await run('esign sandbox ca issue localhost --output ../certificate');
  if (code !== 0) throw new Error(err);
  const read = (name) => readFileSync(join(folder, '../certificate', name));
  return { cert: read('localhost.pem'), key: read('localhost-key.pem') };
}

function typeOf(body) {
  try {
    return JSON.parse(body).type;
  } catch {
    return 'no JSON';
  }
}

/** What a model that reads the skill is told, and can do: run commands. */
function openShell(place) {
  return {
    introduction: { skill: readFileSync(join(SKILL, 'SKILL.md'), 'utf8') },
    isAction: (message) => typeof message?.run === 'string',
    async act({ run }) {
      const { code, out, err } = await place.run(run);
      return { code, out: out.slice(0, MOST_CHARACTERS), err: err.slice(0, MOST_CHARACTERS) };
    },
  };
}

/** What a model that calls tools is told, and can do. */
async function openTools({ folder, env }) {
  const client = new Client({ name: 'skill-evals', version: '1' }, { capabilities: {} });
  const args = [join(ROOT, 'bin/esign.js'), 'mcp'];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd: folder, env, stderr: 'ignore' }),
  );
  const { tools } = await client.listTools();
  return {
    introduction: { instructions: client.getInstructions() ?? '', tools },
    isAction: (message) => typeof message?.call === 'string',
    async act({ call, input = {} }) {
      const { isError = false, content } = await client
        .callTool({ name: call, arguments: input }, { timeout: COMMAND_MS })
        .catch(({ message }) => ({ isError: true, content: [{ type: 'text', text: message }] }));
      return { isError, content: content.map(cutPart) };
    },
    close: () => client.close(),
  };
}

function cutPart(part) {
  return {
    ...part,
    ...(part.text && { text: part.text.slice(0, MOST_CHARACTERS) }),
    ...(part.data && { data: part.data.slice(0, MOST_CHARACTERS) }),
  };
}

/** Speaks with the command of the model until it answers. */
async function converse(model, { task, prompt, actions }) {
  const transcript = [];
  const child = spawn('sh', ['-c', model], {
    cwd: ROOT,
    env: { ...process.env, ESIGN_SKILL: SKILL },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: TASK_MS,
  });
  const say = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
  child.stdin.on('error', () => {});
  const ended = new Promise((resolve) => child.on('exit', resolve).on('error', resolve));
  say({ id: task.id, ...actions.introduction, prompt });
  let count = 0;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const message = messageIn(line);
      transcript.push(line);
      if (typeof message?.answer === 'string') return { transcript, answer: message.answer };
      if (!actions.isAction(message))
        return { transcript, answer: '', problem: `It wrote: ${line.slice(0, 200)}` };
      count += 1;
      if (count > MOST_COMMANDS)
        return { transcript, answer: '', problem: `It ran more than ${MOST_COMMANDS} commands` };
      const result = await actions.act(message);
      transcript.push(JSON.stringify(result));
      say(result);
    }
    return { transcript, answer: '', problem: 'It ended without an answer' };
  } finally {
    child.stdin.end();
    child.stdout.destroy();
    child.kill();
    await ended;
  }
}

function messageIn(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Checks a state by what a command prints, an answer by a pattern, and a receiver by the events that it has. */
async function holds(check, { place, answer, receiver }) {
  if (check.run !== undefined) {
    const { out, err } = await place.run(check.run);
    const printed = out.trim();
    return {
      holds: printed === check.prints,
      why: `${JSON.stringify(printed)} instead of ${JSON.stringify(check.prints)} ${err.slice(0, 300)}`,
    };
  }
  if (check.answer !== undefined)
    return {
      holds: new RegExp(check.answer, 'i').test(answer),
      why: `the answer is ${JSON.stringify(answer.slice(0, 300))}`,
    };
  return {
    holds: receiver.types.join(' ') === check.received.join(' '),
    why: `received: ${receiver.types.join(', ') || 'nothing'}`,
  };
}

/** Looks for secrets in everything that the model has written and read. */
function hasNoSecret(transcript) {
  const at = transcript.findIndex((line) => SECRET.test(line));
  return { holds: at < 0, why: `line ${at + 1} of the transcript has a secret` };
}

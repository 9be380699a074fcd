// Answers `/mcp` of a service: the tools for a caller with an access token. Each call has a directory of its own, in which its documents and
// everything that a command keeps stand until the call ends; nothing of the machine is reachable from it.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { once } from '../../common/once.ts';
import type { CommandAnswer, ConnectCaller, ProgramDescription } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import { invalidValue } from '../command/wrong-input.ts';
import { createMcpServers } from './server.ts';
import type { ToolAccess, ToolCommand } from './tool.ts';
import { REMOTE_TOOLS } from './tools.ts';

export type McpHttpOptions = {
  program: ProgramDescription;
  /** Connects a caller to the service in this process. */
  connect(token: string): ConnectCaller;
  isSandbox: boolean;
  /** Lets tools write to real recipients, although no person can be asked to confirm it here. */
  isSendingAllowed: boolean;
  /** ESIGN_SOFFICE of the service. */
  office: string | undefined;
};

type Caller = { token: string; scopes: readonly string[] };

/** The service keeps answering others meanwhile. */
const MOST_CALLS = 16;
/** Nobody keeps the others from calling. */
const MOST_CALLS_OF_TOKEN = 4;

/** When the server is stopped, a call that only waits is ended after this time; others have done their work by then. */
const FINISH_WITHIN_MS = 1000;
const END_WITHIN_MS = 3000;

type Run = { token: string; ending: AbortController };

export function createMcpAnswers({ program, connect, isSandbox, isSendingAllowed, office }: McpHttpOptions) {
  const running = new Set<Run>();
  const calls = new Set<Promise<unknown>>();
  let isEnding = false;
  const tools = REMOTE_TOOLS.filter((tool) => isSandbox || !tool.isOfSandbox);

  async function run({ token, scopes }: Caller, command: ToolCommand, gone: AbortSignal) {
    const ofToken = [...running].filter((other) => other.token === token).length;
    if (running.size >= MOST_CALLS || ofToken >= MOST_CALLS_OF_TOKEN)
      throw cliError('calls_too_many', {
        sentence: 'The service works on too many calls of tools at the moment.',
        hint: 'Call the tool again in a few seconds.',
      });
    const ending = new AbortController();
    const end = () => ending.abort();
    if (gone.aborted || isEnding) end();
    else gone.addEventListener('abort', end, { once: true });
    const entry = { token, ending };
    running.add(entry);
    const home = await mkdtemp(join(tmpdir(), 'esign-')).catch((error: unknown) => {
      running.delete(entry);
      throw error;
    });
    const call = ({ path, args = {}, options = {} }: ToolCommand): Promise<CommandAnswer> =>
      program.runCommand({
        path,
        args,
        options,
        isConfirmed: false,
        profile: undefined,
        workingDir: home,
        signal: ending.signal,
        caller: {
          connect: connect(token),
          environment: {
            variables: {
              ESIGN_HOME: join(home, 'home'),
              ...(office !== undefined && { ESIGN_SOFFICE: office }),
            },
            homeDir: home,
            workingDir: home,
          },
        },
      });
    try {
      if (command.path[0] === 'sandbox') await mayControl({ scopes }, command, call);
      return await call(command);
    } finally {
      gone.removeEventListener('abort', end);
      await rm(home, { recursive: true, force: true, maxRetries: 3 }).finally(() => running.delete(entry));
    }
  }

  function keep(call: Promise<unknown>): void {
    calls.add(call);
    void call.finally(() => calls.delete(call)).catch(() => undefined);
  }

  const handler = createMcpHandler(
    ({ authInfo }) => {
      const caller = { token: authInfo?.token ?? '', scopes: authInfo?.scopes ?? [] };
      return createMcpServers({
        version: program.version,
        tools,
        files: contentsIn,
        returnsContents: true,
        run: (command, signal) => run(caller, command, signal),
        service: isSandbox ? undefined : 'this service',
        isSendingAllowed,
        asksPeople: false,
        onCall: keep,
      })();
    },
    // The tools stay the same, so there is nothing to be told of.
    { legacy: 'stateless', maxSubscriptions: 0 },
  );
  const allEnded = (withinMs: number) =>
    Promise.race([Promise.allSettled(calls), pause(withinMs, undefined, { ref: false })]);
  return {
    answer: async (request: Request, body: unknown, { token, scopes }: Caller): Promise<Response> =>
      handler.fetch(request, {
        parsedBody: body,
        authInfo: { token, clientId: 'esign', scopes: [...scopes] },
      }),
    async close(): Promise<void> {
      await allEnded(FINISH_WITHIN_MS);
      isEnding = true;
      for (const { ending } of running) ending.abort();
      await allEnded(END_WITHIN_MS);
    },
  };
}

/** The control operations of a sandbox have no user. A caller may use them who could change transactions, and for one that the caller sees. */
async function mayControl(
  { scopes }: Pick<Caller, 'scopes'>,
  { args }: ToolCommand,
  call: (command: ToolCommand) => Promise<CommandAnswer>,
): Promise<void> {
  const needed = 'transaction:update';
  if (!scopes.includes(needed))
    throw cliError('insufficient_scope', {
      sentence: `The access token lacks the scope ${needed}.`,
      hint: 'Get a token with this scope.',
    });
  if (args?.id !== undefined) await call({ path: ['tx', 'show'], args: { id: args.id } });
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Writes the documents of the input to the directory of the call. */
function contentsIn(scratch: () => Promise<string>): Omit<ToolAccess, 'scratch'> {
  const folder = once(scratch);
  const write = async (file: unknown): Promise<string> => {
    const { name, content } = file as { name: string; content: string };
    if (!BASE64.test(content))
      throw invalidValue({ name: 'content', value: content.slice(0, 20), use: 'base64' });
    // Only the last part of a name is one, and it must not begin with a dot.
    const plain = name
      .replace(/^.*[/\\]/s, '')
      .replace(/[^\p{L}\p{N}._ -]/gu, '_')
      .replace(/^[.\s]+/, '')
      .slice(-100);
    const path = join(await folder(), randomUUID());
    await mkdir(path);
    const whole = join(path, plain || 'document');
    await writeFile(whole, Buffer.from(content, 'base64'));
    return whole;
  };
  return { readable: write, copied: write, writable: async () => folder() };
}

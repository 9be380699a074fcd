// Starts `esign mcp` as built, as a client of the Model Context Protocol does, and keeps everything that the two said.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';
import { differencesFrom } from '../../src/cli/command/json-output.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));

export type McpConnection = {
  client: Client;
  tools: readonly Tool[];
  /** Calls a tool and checks its output against the schema that the server has told. @returns the output */
  call(name: string, input: object): Promise<Record<string, never>>;
  /** Calls a tool that refuses. @returns the error */
  refused(
    name: string,
    input: object,
  ): Promise<{ code: string; message: string; hint: string | null; partial?: { id: string } }>;
  content(name: string, input: object): Promise<CallToolResult['content']>;
  /** Every message of the session, as JSON. */
  transcript: string[];
  close(): Promise<void>;
};

type ConnectOptions = {
  folder: string;
  env?: Record<string, string>;
  /** Answers a question of the server; undefined for a client that shows no forms. */
  answer?: ((message: string) => Promise<object> | object) | undefined;
};

/** @param words the options of `esign mcp` */
export async function startMcp(
  words: readonly string[],
  { folder, env = {}, answer }: ConnectOptions,
): Promise<McpConnection> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, ...words],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ESIGN_HOME: join(folder, '.esign'), ...env },
    stderr: 'ignore',
  });
  return connectMcp(transport, answer);
}

export async function connectMcp(
  transport: Transport,
  answer: ConnectOptions['answer'],
  mode: NonNullable<ClientOptions['versionNegotiation']>['mode'] = 'legacy',
): Promise<McpConnection> {
  const transcript: string[] = [];
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    transcript.push(JSON.stringify(message));
    return send(message, options);
  };
  const client = new Client(
    { name: 'tests', version: '1' },
    { capabilities: answer ? { elicitation: { form: {} } } : {}, versionNegotiation: { mode } },
  );
  if (answer)
    client.setRequestHandler(
      'elicitation/create',
      async ({ params }) => (await answer(params.message)) as { action: 'accept' },
    );
  await client.connect(transport);
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    transcript.push(JSON.stringify(message));
    receive?.(message, extra);
  };
  transcript.push(client.getInstructions() ?? '');
  const { tools } = await client.listTools();
  const called = async (name: string, input: object) =>
    client.callTool({ name, arguments: { ...input } }, { timeout: 120_000 });
  return {
    client,
    tools,
    transcript,
    async call(name, input) {
      const { isError, content, structuredContent } = await called(name, input);
      const [first] = content;
      expect([name, isError ?? false, isError && first]).toEqual([name, false, isError && first]);
      const schema = tools.find((tool) => tool.name === name)?.outputSchema as object;
      expect(differencesFrom(schema, structuredContent)).toEqual([]);
      return structuredContent as Record<string, never>;
    },
    async refused(name, input) {
      const { isError, content } = await called(name, input);
      const [first] = content;
      if (first?.type !== 'text') throw new Error('The error has no text.');
      expect([isError, first.text.split('\n')[0]]).toEqual([true, expect.stringContaining('is data')]);
      return JSON.parse(first.text.slice(first.text.indexOf('\n'))).error;
    },
    async content(name, input) {
      return (await called(name, input)).content;
    },
    close: () => client.close(),
  };
}

/** None of them is an ID, whatever stands there. */
const PATHS_AS_IDS = [
  '../x',
  '/etc/passwd',
  'contract.pdf',
  './contract',
  '@',
  '@2',
  '-',
  '--help',
  '',
  'a\nb',
];

/** Calls every tool that takes an ID with a path in its place. @returns the calls that were not refused as wrong input */
export async function callsWithPathsAsIds({ tools, refused }: McpConnection): Promise<unknown[]> {
  const taking = tools.flatMap(({ name, inputSchema: { properties = {}, required = [] } }) =>
    ['id', 'template']
      .filter((property) => property in properties)
      .map((property) => ({ name, property, others: required.filter((other) => other !== property) })),
  );
  expect(taking.length).toBeGreaterThan(7);
  const wrong: unknown[] = [];
  for (const { name, property, others } of taking)
    for (const id of PATHS_AS_IDS) {
      const input = { ...Object.fromEntries(others.map((other) => [other, 'x'])), [property]: id };
      const code = await refused(name, input).then(
        (error) => error.code,
        () => 'accepted',
      );
      if (code !== 'value_invalid') wrong.push([name, id, code]);
    }
  return wrong;
}

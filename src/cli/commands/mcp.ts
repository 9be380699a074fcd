// `esign mcp`: serves the tools of src/cli/mcp on standard input and output, for a client of the Model Context Protocol.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { defineCommand } from '../command/command.ts';
import { cliError } from '../command/errors.ts';
import { prints } from '../command/json-output.ts';
import { createFileReader } from '../input/files.ts';
import { openFileAccess, withCopies } from '../mcp/files.ts';
import { createMcpServers, type McpServerOptions } from '../mcp/server.ts';
import { LOCAL_TOOLS } from '../mcp/tools.ts';

export const command = defineCommand({
  summary: 'Serve the Model Context Protocol to a program with a language model',
  details: `A client such as an editor or an assistant starts this command and calls its tools over standard input and output:
send documents, show and wait for transactions, remind, cancel, download, verify, read the words of a document and see its
pages. Without --profile, it acts for the offline sandbox of this machine, whatever the environment says, and has tools that
sign and advance the clock there.

With --profile NAME, it acts for that service. A person then confirms every send, reminder and cancellation in the client, which
shows the documents, the recipients and the texts that they get. A client that cannot show a form is refused, unless --allow-send is given.

Tools read and write only below the directories of --root, and take nothing from an \`esign.config.json\`. They return no token, no secret and no signing link of a real
recipient.`,
  arguments: [],
  options: {
    root: {
      value: 'DIR',
      repeat: true,
      completes: 'folder',
      summary: 'Directory whose files the tools may use (default: the current directory)',
    },
    'allow-send': {
      summary: 'Send, remind and cancel with --profile without the confirmation of a person',
    },
  },
  json: prints('nothing: the output is messages of the protocol'),
  examples: [
    { line: 'esign mcp', about: 'Serve the tools for the sandbox, with the files below this directory' },
    {
      line: 'esign mcp --profile work --root contracts',
      about: 'Serve the tools for a service, where a person confirms what is sent',
    },
  ],
  async run(context, { options }) {
    const { process, program, settings, terminal } = context;
    const files = await openFileAccess(process.workingDir, options.root);
    const profile = settings.sandbox ? undefined : settings.profile;
    const remote = profile === undefined ? undefined : (await context.connections.profile()).remote;
    const tools = LOCAL_TOOLS.filter((tool) => remote === undefined || !tool.isOfSandbox);
    const servers = createMcpServers({
      version: program.version,
      tools,
      files: (scratch) => withCopies(files, createFileReader(context), scratch),
      service: remote && `${profile} (${remote.baseUrl})`,
      isSendingAllowed: options['allow-send'],
      asksPeople: true,
      run: limitCalls(({ path, args = {}, options: given = {}, isConfirmed = false, confirmed }, signal) =>
        program.runCommand({
          path,
          args,
          options: given,
          isConfirmed,
          confirmed,
          profile,
          signal,
          workingDir: files.workingDir,
        }),
      ),
    });
    terminal.progress.note('Serving the Model Context Protocol on standard input and output.');
    const input = process.input();
    const ended = new Promise<void>((resolve) => {
      input
        .once('end', resolve)
        .once('close', resolve)
        .once('error', () => resolve());
    });
    const handle = serveStdio(servers, { maxSubscriptions: 0 });
    await Promise.race([ended, process.stopped]);
    await handle.close();
    return { kind: 'text', text: '', json: undefined };
  },
});

/** Each call may start a process that draws or verifies. */
const MOST_CALLS = 16;

/** @throws CliError where so many calls are under way */
function limitCalls(run: McpServerOptions['run']): McpServerOptions['run'] {
  let count = 0;
  return async (command, signal) => {
    if (count >= MOST_CALLS)
      throw cliError('calls_too_many', {
        sentence: `${MOST_CALLS} calls of tools are under way.`,
        hint: 'Call the tool again when one of them has ended.',
      });
    count += 1;
    return run(command, signal).finally(() => {
      count -= 1;
    });
  };
}

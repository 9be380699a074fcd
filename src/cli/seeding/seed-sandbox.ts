// Seeds a sandbox from a file, or from a value that a program has: the way in, and what is reported.
import { dirname, isAbsolute, join } from 'node:path';
import { Readable } from 'node:stream';
import { LIMITS } from '../../api/contract/limits.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { Uses } from '../command/context.ts';
import type { Outcome } from '../command/outcome.ts';
import type { Connection, SandboxConnection } from '../connection/connection.ts';
import { createFileReader, type FileReader } from '../input/files.ts';
import {
  applySeed,
  type SeededThing,
  type SeedOptions,
  type SeedResult,
  type SeedTarget,
} from './apply-seed.ts';
import { checkSeed } from './check-seed.ts';
import { parseSeed, type ReadSeed, readSeedValue } from './read-seed.ts';

/** A world is text. More than this is something else. */
const LONGEST_SEED_BYTES = 4 * 1024 * 1024;

type SeedParts = {
  /** Reads documents. Their paths are relative to the directory of the seed. */
  reader: FileReader;
  target: SeedTarget & { fieldErrors: NonNullable<Connection['fieldErrors']> };
  options: Omit<SeedOptions, 'documents'>;
};

/**
 * @param path `-` for standard input; paths in it are then relative to the working directory
 * @param seedReader reads the seed itself, which may not be longer than {@link LONGEST_SEED_BYTES}
 */
async function readSeedFile(path: string, seedReader: FileReader): Promise<ReadSeed> {
  const text = new TextDecoder().decode(await seedReader.read(path));
  return parseSeed(text, path === '-' ? 'standard input' : path);
}

/** A reader of paths that are relative to the directory of a file. */
function readerBeside(path: string, { read, documents }: FileReader): FileReader {
  const folder = path === '-' ? '.' : dirname(path);
  return { documents, read: (file) => read(isAbsolute(file) ? file : join(folder, file)) };
}

type SeedSource = Pick<SandboxConnection, 'baseUrl' | 'transport' | 'client' | 'ownUser' | 'fieldErrors'>;

/** A seed file that was read. @property seed makes what it describes */
type OpenSeed = { seed(sandbox: SeedSource, options?: { isDryRun: boolean }): Promise<SeededThing[]> };

/** Reads a seed file for a command. @throws CliError `seed_invalid` for one of the wrong form */
export async function openSeed(path: string, context: Uses<'process' | 'terminal'>): Promise<OpenSeed> {
  const { process, terminal } = context;
  const read = await readSeedFile(path, createFileReader(context, LONGEST_SEED_BYTES));
  return {
    seed({ baseUrl, transport, client, ownUser, fieldErrors }, { isDryRun } = { isDryRun: false }) {
      if (!ownUser || !fieldErrors) throw new Error('A sandbox has a user, and checks fields.');
      return seedSandbox(read, {
        reader: readerBeside(path, createFileReader(context)),
        target: { baseUrl, transport, client, ownUser, fieldErrors },
        options: {
          isDryRun,
          step(label, work) {
            process.checkpoint();
            return terminal.progress.step(label, work);
          },
        },
      });
    },
  };
}

/** Nothing is read from standard input by a program that seeds. */
const NO_INPUT = { streams: { input: () => Readable.from([]) } };

/** Seeds from a file or a value, for a program. Paths are relative to the file, or to the working directory of the process. */
export async function seedFrom(
  seed: string | object,
  { documents, target }: { documents: DocumentEngine; target: SeedParts['target'] },
): Promise<SeededThing[]> {
  const process = { documents, workingDir: '.', abort: new AbortController().signal };
  const readerOf = (mostBytes: number) => createFileReader({ process, terminal: NO_INPUT }, mostBytes);
  const path = typeof seed === 'string' ? seed : undefined;
  const read =
    path === undefined ? readSeedValue(seed) : await readSeedFile(path, readerOf(LONGEST_SEED_BYTES));
  return seedSandbox(read, {
    reader: readerBeside(path ?? '-', readerOf(LIMITS.fileBytes)),
    target,
    options: { isDryRun: false, step: (_, work) => work() },
  });
}

/**
 * Makes what is missing in the sandbox. Everything in the seed is checked before anything is made.
 * @throws CliError `seed_invalid`
 */
async function seedSandbox(read: ReadSeed, { reader, target, options }: SeedParts): Promise<SeededThing[]> {
  const { documents } = reader;
  const { items } = await target.client['sandbox.list_users']();
  const users = [target.ownUser, ...items];
  const checked = await checkSeed(read, { reader, documents, users, fieldErrors: target.fieldErrors });
  return applySeed(checked, target, { ...options, documents });
}

const RESULTS: Record<SeedResult, string> = {
  created: 'created',
  continued: 'continued',
  would_create: 'would be created',
  would_continue: 'would be continued',
  unchanged: 'exists',
};

export function seedOutcome(things: readonly SeededThing[], isDryRun: boolean): Outcome {
  const secrets = things.flatMap(({ name, secrets = {} }) =>
    Object.entries(secrets).map(([key, value]) => [name, key, value]),
  );
  return {
    kind: 'record',
    headline: headlineOf(things, isDryRun),
    json: things,
    entries: [],
    tables: [
      {
        key: 'thing',
        columns: ['Kind', { name: 'Name', fit: 'cuts' }, 'Result', 'Status', 'ID'],
        rows: things.map(({ kind, name, result, status, id }) => [kind, name, RESULTS[result], status, id]),
      },
      ...(secrets.length === 0
        ? []
        : [
            {
              key: 'secret',
              title: 'Secrets, which are not shown again',
              columns: ['Of', 'Secret', 'Value'],
              rows: secrets,
            },
          ]),
    ],
  };
}

function headlineOf(things: readonly SeededThing[], isDryRun: boolean): string {
  const changed = things.filter(({ result }) => result !== 'unchanged').length;
  const unchanged = things.length - changed;
  const sentence = isDryRun ? 'The file is correct. Nothing was created' : 'Seeded the sandbox';
  return `${sentence}: ${changed} ${isDryRun ? 'would be created or continued' : 'created or continued'}, ${unchanged} exist${unchanged === 1 ? 's' : ''} already.`;
}

// Seeds a sandbox from a file, or from a value that a program has.
import { dirname, isAbsolute, join } from 'node:path';
import type { Connection, SandboxConnection } from '../connection/connection.ts';
import type { FileReader } from '../input/file-reader.ts';
import { applySeed } from './apply-seed.ts';
import { checkSeed } from './check-seed.ts';
import { parseSeed, type ReadSeed } from './read-seed.ts';
import type { SeededThing, SeedOptions, SeedTarget } from './seeded-thing.ts';

/** A world is text. More than this is something else. */
export const LONGEST_SEED_BYTES = 4 * 1024 * 1024;

export type SeedParts = {
  /** Reads documents. Their paths are relative to the directory of the seed. */
  reader: FileReader;
  target: SeedTarget & { fieldErrors: NonNullable<Connection['fieldErrors']> };
  options: Omit<SeedOptions, 'documents'>;
};

/**
 * @param path `-` for standard input; paths in it are then relative to the working directory
 * @param seedReader reads the seed itself, which may not be longer than {@link LONGEST_SEED_BYTES}
 */
export async function readSeedFile(path: string, seedReader: FileReader): Promise<ReadSeed> {
  const text = new TextDecoder().decode(await seedReader.read(path));
  return parseSeed(text, path === '-' ? 'standard input' : path);
}

/** A reader of paths that are relative to the directory of a file. */
export function readerBeside(path: string, { read, documents }: FileReader): FileReader {
  const folder = path === '-' ? '.' : dirname(path);
  return { documents, read: (file) => read(isAbsolute(file) ? file : join(folder, file)) };
}

/** The sandbox of a connection, as {@link seedSandbox} uses it. */
export function seedTargetOf({
  baseUrl,
  transport,
  client,
  ownUser,
  fieldErrors,
}: SandboxConnection): SeedParts['target'] {
  if (!ownUser || !fieldErrors) throw new Error('A sandbox has a user, and checks fields.');
  return { baseUrl, transport, client, ownUser, fieldErrors };
}

/**
 * Makes what is missing in the sandbox. Everything in the seed is checked before anything is made.
 * @throws CliError `seed_invalid`
 */
export async function seedSandbox(
  read: ReadSeed,
  { reader, target, options }: SeedParts,
): Promise<SeededThing[]> {
  const { documents } = reader;
  const { items } = await target.client['sandbox.list_users']();
  const users = [target.ownUser, ...items];
  const checked = await checkSeed(read, { reader, documents, users, fieldErrors: target.fieldErrors });
  return applySeed(checked, target, { ...options, documents });
}

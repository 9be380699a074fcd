// Stores what this machine has seen of a service: transactions with their names, templates, webhooks, events. `tx list` and TAB
// read it. It appends one line of JSON for each entry and never rewrites one, so that any number of processes may write at once
// and a reader needs no database. It must never store a token, a secret or a signing address.
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isEpochMs } from '../../common/instant.ts';
import { distrustOf, makeTrustedFolder } from '../../files/trust.ts';

export type SeenKind = 'transaction' | 'template' | 'webhook' | 'event';

export type SeenItem = {
  kind: SeenKind;
  id: string;
  /** The base address, or `sandbox`, because a profile may have named different services in turn. */
  service: string;
  /** Milliseconds since 1970. */
  atMs: number;
  name?: string | undefined;
  /** Of a transaction, as the service says it. */
  status?: string | undefined;
  /** Of a transaction: draft, started, completed, rejected, expired, cancelled. */
  outcome?: string | undefined;
  /** Emails of the recipients of a transaction. */
  people?: readonly string[] | undefined;
  /** Their names, in the same order. */
  names?: readonly string[] | undefined;
  /** Email of the recipient who is asked to sign now; null where there is none. */
  pending?: string | null | undefined;
  /** When the service last changed it. */
  updated?: string | undefined;
  /** Of an event: how the receiver that `events listen` forwarded it to answered, in a few words. */
  forwarded?: string | undefined;
  /** It keeps its position: the entry does not make it the last one touched. */
  stays?: true | undefined;
  /** The service does not have it any more. */
  isGone?: true | undefined;
};

/** `isReset`: the service has been reset, so earlier entries are void. */
export type RecentEntry = SeenItem | { isReset: true; service: string; atMs: number };

/** A file that has grown past this becomes the previous one, and the one before that is deleted. */
const FULL_BYTES = 256 * 1024;

export const seenFileOf = (seenDir: string, profile: string): string =>
  join(seenDir, `${encodeURIComponent(profile)}.ndjson`);

const previousOf = (file: string): string => `${file}.previous`;

export async function appendEntries(file: string, entries: readonly RecentEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  makeTrustedFolder(dirname(file));
  // Written synchronously: it is a line or two, and nothing else is left to do.
  appendFileSync(file, lines, { mode: 0o600 });
  if (statSync(file).size > FULL_BYTES) rotateFile(file);
}

/** Renames the file. A process that still writes to it writes to a file that is read as well. */
function rotateFile(file: string): void {
  try {
    renameSync(file, previousOf(file));
  } catch {
    // Another process did it at the same moment.
  }
}

/** Reads the entries, last seen first. It omits what cannot be used: a truncated line, a value of another type. */
export async function readSeen(file: string): Promise<SeenItem[]> {
  if (distrustOf(dirname(file))) return [];
  const texts = await Promise.all([previousOf(file), file].map(textOf));
  return mergeEntries(texts.join('\n'));
}

/** The limit for reading. A longer file was not written by esign; only its end is read. */
const MOST_BYTES = 4 * FULL_BYTES;

async function textOf(file: string): Promise<string> {
  const { size, isFile } = await stat(file).then(
    (stats) => ({ size: stats.size, isFile: stats.isFile() }),
    () => ({ size: 0, isFile: false }),
  );
  if (!isFile || size === 0) return '';
  const handle = await open(file).catch(() => undefined);
  if (!handle) return '';
  try {
    const bytes = new Uint8Array(Math.min(size, MOST_BYTES));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, size - bytes.length);
    return new TextDecoder().decode(bytes.subarray(0, bytesRead));
  } catch {
    return '';
  } finally {
    await handle.close();
  }
}

/** Merges the entries of each thing. Later ones win; properties that they lack are kept. */
export function mergeEntries(text: string): SeenItem[] {
  const items = new Map<string, SeenItem>();
  for (const line of text.split('\n')) {
    const entry = parseEntry(line);
    if (!entry) continue;
    if ('isReset' in entry) {
      for (const [key, { service }] of items) if (service === entry.service) items.delete(key);
      continue;
    }
    const key = `${entry.kind} ${entry.service} ${entry.id}`;
    const before = items.get(key);
    const { stays, ...told } = entry;
    if (!stays || told.isGone) items.delete(key);
    if (!told.isGone) items.set(key, { ...before, ...told });
  }
  return [...items.values()].reverse();
}

function parseEntry(line: string): RecentEntry | undefined {
  try {
    return readEntry(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** Reads the usable properties of a line. Another version or a person may have written it, and `tx list` must not fail then. */
function readEntry(value: unknown): RecentEntry | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { service, atMs, isReset, kind, id } = value as Record<string, unknown>;
  if (!isText(service) || !isEpochMs(atMs)) return undefined;
  if (isReset === true) return { isReset, service, atMs };
  if (!isKind(kind) || !isText(id)) return undefined;
  const told = Object.entries(value).filter(([name, property]) => USABLE.get(name)?.(property));
  return { kind, id, service, atMs, ...Object.fromEntries(told) };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isTrue = (value: unknown): boolean => value === true;
const isKind = (value: unknown): value is SeenKind =>
  value === 'transaction' || value === 'template' || value === 'webhook' || value === 'event';

/** The optional properties, and the check of each. */
const USABLE = new Map<string, (value: unknown) => boolean>([
  ['name', isText],
  ['status', isText],
  ['outcome', isText],
  ['people', areTexts],
  ['names', areTexts],
  ['pending', (value) => value === null || isText(value)],
  ['updated', isText],
  ['forwarded', isText],
  ['stays', isTrue],
  ['isGone', isTrue],
]);

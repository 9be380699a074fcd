// What this machine has seen of a service: transactions with their names, templates, webhooks, events. `tx list` and TAB read it.
// One line of JSON a entry, appended and never rewritten, so that any number of processes may write at once and a
// reader needs no database. Must never hold a token, a secret or a signing address.
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isEpochMs } from '../../api/contract/instant.ts';
import { makeTrustedFolder } from '../../files/make-folder.ts';
import { distrustOf } from '../../files/trust.ts';

export type SeenKind = 'transaction' | 'template' | 'webhook' | 'event';

export type Seen = {
  kind: SeenKind;
  id: string;
  /** Tells services apart that one profile has named in turn: the base address, or `sandbox`. */
  service: string;
  /** Milliseconds since 1970. */
  atMs: number;
  name?: string | undefined;
  /** Of a transaction, as the service says it. */
  status?: string | undefined;
  /** Of a transaction: draft, started, completed, rejected, expired, cancelled. */
  outcome?: string | undefined;
  /** E-mails of the recipients of a transaction. */
  people?: readonly string[] | undefined;
  /** Their names, in the same order. */
  names?: readonly string[] | undefined;
  /** E-mail of whoever is asked to sign now; null where nobody is. */
  pending?: string | null | undefined;
  /** When the service last changed it. */
  updated?: string | undefined;
  /** Of an event: how the receiver that `events listen` forwarded it to answered, in a few words. */
  forwarded?: string | undefined;
  /** It keeps its place: what was told of it does not make it the last one. */
  stays?: true | undefined;
  /** It is not there any more. */
  isGone?: true | undefined;
};

/** `isReset`: whatever this service had before is gone. */
export type RecentEntry = Seen | { isReset: true; service: string; atMs: number };

/** When a file has grown past this it becomes the previous one, and the one before that is forgotten. */
const FULL_BYTES = 256 * 1024;

export const seenFileOf = (seenDir: string, profile: string): string =>
  join(seenDir, `${encodeURIComponent(profile)}.ndjson`);

const previousOf = (file: string): string => `${file}.previous`;

export async function remember(file: string, entries: readonly RecentEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const lines = entries.map((one) => `${JSON.stringify(one)}\n`).join('');
  makeTrustedFolder(dirname(file));
  // In one go: it is a line or two, and the command has ended but for this.
  appendFileSync(file, lines, { mode: 0o600 });
  if (statSync(file).size > FULL_BYTES) makePrevious(file);
}

/** Whoever still writes to the renamed file writes to one that is read as well. */
function makePrevious(file: string): void {
  try {
    renameSync(file, previousOf(file));
  } catch {
    // Another process did it at the same moment.
  }
}

/** What is there, seen last first. What cannot be used is left out: a line that was cut off, a value of another type. */
export async function readSeen(file: string): Promise<Seen[]> {
  if (distrustOf(dirname(file))) return [];
  const texts = await Promise.all([previousOf(file), file].map(textOf));
  return foldSeen(texts.join('\n'));
}

/** No such file has more, unless somebody else wrote it: then its end is what matters. */
const MOST_BYTES = 4 * FULL_BYTES;

async function textOf(file: string): Promise<string> {
  const { size, isFile } = await stat(file).then(
    (found) => ({ size: found.size, isFile: found.isFile() }),
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

/** Later entries win, and keep what they do not say. */
export function foldSeen(text: string): Seen[] {
  const known = new Map<string, Seen>();
  for (const line of text.split('\n')) {
    const entry = parsed(line);
    if (!entry) continue;
    if ('isReset' in entry) {
      for (const [key, { service }] of known) if (service === entry.service) known.delete(key);
      continue;
    }
    const key = `${entry.kind} ${entry.service} ${entry.id}`;
    const before = known.get(key);
    const { stays, ...told } = entry;
    if (!stays || told.isGone) known.delete(key);
    if (!told.isGone) known.set(key, { ...before, ...told });
  }
  return [...known.values()].reverse();
}

function parsed(line: string): RecentEntry | undefined {
  try {
    return entryOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** What can be used of a line that a person or another version may have written: `tx list` must not end because of it. */
function entryOf(value: unknown): RecentEntry | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { service, atMs, isReset, kind, id } = value as Record<string, unknown>;
  if (!isText(service) || !isEpochMs(atMs)) return undefined;
  if (isReset === true) return { isReset, service, atMs };
  if (!isKind(kind) || !isText(id)) return undefined;
  const told = Object.entries(value).filter(([name, one]) => USABLE.get(name)?.(one));
  return { kind, id, service, atMs, ...Object.fromEntries(told) };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isTrue = (value: unknown): boolean => value === true;
const isKind = (value: unknown): value is SeenKind =>
  value === 'transaction' || value === 'template' || value === 'webhook' || value === 'event';

/** What may be left out, and when it can be used. */
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

// The kinds of files that a store is written to: a backup, which belongs to the key of its store, and an export of a sandbox, which any sandbox
// can take over. Both have the format of `backup-file.ts`.
import * as z from 'zod';
import type { DatabaseErrorCode } from '../../database/database-error.ts';
import { StoreError } from '../store/state/folder.ts';

/** What `store.json` says beside the format and its version. `schema` has the names of the migrations of the tables. */
type Description = { schema: readonly string[] };

export type StoreFileKind<D extends Description = Description> = {
  /** As the file says it. */
  format: string;
  version: number;
  description: z.ZodType<D>;
  /** As a message says it. */
  what: string;
  /** @param why a sentence about the file */
  refuse(path: string, why: string): StoreError;
};

export type DescriptionOf<K> = K extends StoreFileKind<infer D> ? D : never;

const refusal =
  (code: DatabaseErrorCode, done: string, hint: string) =>
  (path: string, why: string): StoreError =>
    new StoreError(code, `"${path}" cannot be ${done}: ${why}`, hint);

/** `key` is the fingerprint of the key of the store. */
export const BACKUP = {
  format: 'esign store',
  version: 1,
  description: z.strictObject({ schema: z.array(z.string()).readonly(), key: z.string() }),
  what: 'a backup of esign',
  refuse: refusal('backup_damaged', 'restored', 'Use another backup.'),
} satisfies StoreFileKind;

/** `secrets` says whether it contains them. */
export const EXPORT = {
  format: 'esign sandbox',
  version: 1,
  description: z.strictObject({ schema: z.array(z.string()).readonly(), secrets: z.boolean() }),
  what: 'an export of a sandbox',
  refuse: refusal('export_damaged', 'imported', 'Use another file of `esign sandbox export`.'),
} satisfies StoreFileKind;

const KINDS: readonly { kind: StoreFileKind; use: string }[] = [
  { kind: BACKUP, use: 'restore it with `esign store restore`.' },
  { kind: EXPORT, use: 'import it with `esign sandbox import`.' },
];

export const isChanged = (kind: StoreFileKind, path: string): StoreError =>
  kind.refuse(path, 'it was changed, cut or packed again.');

/** @param format what the file says that it is */
export function otherKindOf(kind: StoreFileKind, path: string, format: string): StoreError {
  const other = KINDS.find((one) => one.kind.format === format);
  return other ? kind.refuse(path, `it is ${other.kind.what}; ${other.use}`) : isChanged(kind, path);
}

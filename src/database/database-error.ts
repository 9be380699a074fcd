// Lists the codes of errors about stored data.

export type DatabaseErrorCode =
  | 'store_newer'
  | 'store_unreleased'
  | 'storage_damaged'
  | 'storage_unusable'
  | 'storage_unavailable'
  | 'storage_full'
  | 'blobs_unusable'
  | 'locked'
  | 'installation_foreign'
  | 'key_mismatch'
  | 'key_missing'
  | 'migrations_missing'
  | 'copy_unfinished'
  | 'store_not_empty'
  | 'backup_damaged'
  | 'export_damaged';

/** @property hint what to do about this error, where it differs from the hint of its code */
export type DatabaseError = Error & { code: DatabaseErrorCode; hint?: string | undefined };

// The codes of errors about stored data, as a reader of this room tells them apart.

export type DatabaseErrorCode =
  | 'store_newer'
  | 'storage_damaged'
  | 'storage_unusable'
  | 'storage_full'
  | 'locked';

/** @property hint what to do about this one, where there is more to say than for every error of its code */
export type DatabaseError = Error & { code: DatabaseErrorCode; hint?: string | undefined };

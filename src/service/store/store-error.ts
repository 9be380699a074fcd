import type { DatabaseErrorCode } from '../../database/database-error.ts';

/** Thrown when a store must not be used as it was asked for, before anything in it was changed. */
export class StoreError extends Error {
  override name = 'StoreError';
  readonly code: DatabaseErrorCode;
  readonly hint: string;

  constructor(code: DatabaseErrorCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

// Turns an error into a refusal: it names the cause where that is the storage (full, damaged, not usable) or the files of the program.
import type { Refusal } from '../../api/contract/problems.ts';
import { DamagedStoreError } from '../../database/database.ts';
import { storageFailureOf } from '../../database/failure.ts';
import { ProgramReplacedError } from '../../pdf/engine/program-replaced.ts';
import { refuse } from '../context.ts';
import { StoreError } from '../store/state/folder.ts';

/** @param id of the request or of the transaction that the error happened in */
export const unexpectedRefusalOf = (error: unknown, id: string): Refusal =>
  failureRefusalOf(error) ?? refuse('internal_error', { request_id: id }).refusal;

/** @returns undefined where the error has another cause */
export function failureRefusalOf(error: unknown): Refusal | undefined {
  if (error instanceof ProgramReplacedError) return refuse('program_replaced').refusal;
  if (error instanceof StoreError && error.code === 'blobs_unusable')
    return refuse('storage_unusable', { why: 'its storage of files cannot be used' }).refusal;
  const failure = storageFailureOf(error);
  if (!failure) return undefined;
  if (failure.kind === 'full') return refuse('storage_full').refusal;
  if (failure.kind === 'unavailable') return refuse('storage_unavailable', { why: failure.why }).refusal;
  if (failure.kind === 'unusable') return refuse('storage_unusable', { why: failure.why }).refusal;
  const way_out = error instanceof DamagedStoreError ? error.hint : undefined;
  return refuse('storage_damaged', { damage: sentence(failure.why), way_out }).refusal;
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;

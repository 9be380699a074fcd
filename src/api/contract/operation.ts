// The shape of a row of the operation table, and the types that are read off it.
// A row is a declaration; it never knows who answers it.
import type { z } from 'zod';
import type { ProblemCode } from './problems.ts';
import type { Scope } from './scopes.ts';

/**
 * Who may call: the bearer of a token with this scope, a client application by its secret in the body, whoever
 * holds a recipient's signing token, whoever holds the store's control secret, or anybody.
 */
export type Access = { scope: Scope } | 'client' | 'signing' | 'control' | 'anybody';

/** Schemas are built when they are first used (`z.lazy`): building all of them costs a command 20 ms. */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/v1/transaction/{transactionId}`, relative to the service's base address. */
  path: string;
  access: Access;
  params?: z.ZodType;
  query?: z.ZodType;
  /** A JSON body. */
  body?: z.ZodType;
  /** A `multipart/form-data` body: the text parts. The part `file` is always the binary. */
  multipart?: z.ZodType;
  success: { status: 200 | 201; schema: z.ZodType; binary?: true };
  /** What a client must find in the answer to go on; everything else is read leniently. */
  needs?: readonly string[];
  /** Refusals of its own; those of access, reading and validation apply to every operation. */
  problems: readonly ProblemCode[];
  /** Where the specification speaks of it. */
  source: string;
  /** The rows of the open points that this row chose for itself. */
  assumed?: readonly string[];
  /** Known to the embedded service only; the specification does not have it. */
  extension?: true;
  /** An `Idempotency-Key` is honoured (assumed: A37). */
  idempotent?: true;
  /** People are told, or something ends: never repeated blindly, though its method is PUT. */
  once?: true;
  summary: string;
  /** A body (or form) that is valid, for documents and tests. */
  example?: unknown;
};

type Shape<S, Empty = Record<never, never>> = S extends z.ZodType ? z.input<S> : Empty;
type Read<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A file on its way to the service. */
export type OutgoingFile = { name: string; content: Blob | Uint8Array };

type Part<K extends string, S> = S extends z.ZodType ? { [P in K]: z.input<S> } : unknown;

/** What a client hands in. */
export type Input<O extends Operation> = Part<'params', O['params']> &
  Part<'query', O['query']> &
  Part<'body', O['body']> &
  (O['multipart'] extends z.ZodType ? { form: Shape<O['multipart']>; file: OutgoingFile } : unknown);

/** What a client gets back. */
export type Output<O extends Operation> = O['success'] extends { binary: true }
  ? { bytes: Uint8Array; mediaType: string }
  : z.output<O['success']['schema']>;

/** What a handler is given, validated. */
export type Parsed<O extends Operation> = {
  params: Read<O['params']>;
  query: Read<O['query']>;
  body: Read<O['body']>;
  form: Read<O['multipart']>;
};

export const isScoped = (access: Access): access is { scope: Scope } => typeof access === 'object';

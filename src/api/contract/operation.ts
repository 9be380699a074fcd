// The shape of a row of the operation table, the scopes that a row may require, and the types that are read off it. A row is a declaration;
// it never knows who answers it.
import type { z } from 'zod';
import type { Reader } from './lenient.ts';
import type { ProblemCode } from './problems.ts';

/**
 * Who may call: the bearer of a token with this scope, the bearer of any valid access token (`user`), a client application by
 * its secret in the body, the bearer of a recipient's signing token, the bearer of the store's control secret, or every client
 * (`public`).
 */
type Access = { scope: Scope } | 'user' | 'client' | 'signing' | 'control' | 'public';

/** Schemas are built when they are first used (`lazy-schema.ts`). */
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
  /** What the embedded service promises: everything the specification shows, and nothing else. */
  success: { status: 200 | 201; schema: z.ZodType; binary?: true };
  /** How a client reads the answer of any service (`lenient.ts`); every operation has it whose answer is no file. */
  received?: Reader<unknown>;
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
  /** People are notified, or something ends: never repeated blindly, though its method is PUT. */
  once?: true;
  /** Documents are processed before it is answered: a client waits longer for it. */
  isLong?: true;
  summary: string;
  /** A body (or form) that is valid, for documents and tests. */
  example?: unknown;
};

/** What encoding a request needs to know of a row. */
export type EncodedOperation = { method: string; path: string; body?: unknown };

/** What decoding a response needs to know of a row. */
export type DecodedOperation = {
  success: { status?: number; binary?: true | undefined };
  received?: Reader<unknown> | undefined;
};

type Shape<S, Empty = Record<never, never>> = S extends z.ZodType ? z.input<S> : Empty;
type ParsedBy<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A file on its way to the service. */
export type OutgoingFile = { name: string; content: Blob | Uint8Array };

type Part<K extends string, S> = S extends z.ZodType ? { [P in K]: z.input<S> } : unknown;

/** What a client hands in. */
export type OperationInput<O extends Operation> = Part<'params', O['params']> &
  Part<'query', O['query']> &
  Part<'body', O['body']> &
  (O['multipart'] extends z.ZodType ? { form: Shape<O['multipart']>; file: OutgoingFile } : unknown);

/** A stored file, or a picture. The service sends `documentName` in the header Content-Disposition. */
export type BinaryOutput = { bytes: Uint8Array; mediaType: string; documentName?: string };

/** What a handler gives back. */
export type Output<O extends Operation> = O['success'] extends { binary: true }
  ? BinaryOutput
  : z.output<O['success']['schema']>;

/** What a client receives: less than was promised is possible, because any service may have sent it. */
export type Received<O extends Operation> = O['success'] extends { binary: true }
  ? BinaryOutput
  : O['received'] extends Reader<infer T>
    ? T
    : unknown;

/** What a handler is given, validated. */
export type Parsed<O extends Operation> = {
  params: ParsedBy<O['params']>;
  query: ParsedBy<O['query']>;
  body: ParsedBy<O['body']>;
  form: ParsedBy<O['multipart']>;
};

export const isScoped = (access: Access): access is { scope: Scope } => typeof access === 'object';

export const needsAccessToken = (access: Access): access is { scope: Scope } | 'user' =>
  isScoped(access) || access === 'user';

export const SCOPES = {
  'transaction:read': 'view transactions',
  'transaction:create': 'create transactions on your behalf',
  'transaction:update': 'change, start and cancel transactions',
  'webhook:read': 'view the webhooks of your company',
  'webhook:create': 'create webhooks',
  'webhook:remove': 'delete the webhooks of your company',
  'file:create': 'upload files',
  'template:read': 'view templates',
} as const;

export type Scope = keyof typeof SCOPES;

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

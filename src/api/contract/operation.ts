// The shape of a row of the operation table, the scopes that a row may require, and the types that are read off it. A row is a declaration;
// it never knows who answers it.
import type { z } from 'zod';
import type { Reader } from './lenient.ts';
import type { ProblemCode } from './problems.ts';

/** The eight scopes of spec §5 in its order, each with what it grants. */
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

/**
 * Says who may call: the bearer of a token with this scope, the bearer of any valid access token (`user`), a client application by
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
  /** The promise of the embedded service: everything that the specification shows, and nothing else. */
  success: { status: 200 | 201; schema: z.ZodType; binary?: true };
  /** Reads the answer of any service for a client (`lenient.ts`); every operation has it whose answer is no file. */
  received?: Reader<unknown>;
  /** The refusals of this operation; those of access, reading and validation apply to every operation. */
  problems: readonly ProblemCode[];
  /** The place in the specification. */
  source: string;
  /** The open points that this row decides. */
  assumed?: readonly string[];
  /** The embedded service alone has it; the specification does not. */
  extension?: true;
  /** An `Idempotency-Key` is honoured (assumed: A37). */
  idempotent?: true;
  /** It notifies people or ends something, so it is never repeated blindly, though its method is PUT. */
  once?: true;
  /** Documents are processed before it is answered: a client waits longer for it. */
  isLong?: true;
  summary: string;
  /** A body (or form) that is valid, for documents and tests. */
  example?: unknown;
};

/** A request is written with these parts of a row, and with the values of a call. */
export type EncodedOperation = { method: string; path: string; body?: unknown };

/** An answer is read with these parts of a row. The published client has nothing else of it (`client/operation.ts`). */
export type DecodedOperation = {
  success: { status?: number; binary?: true | undefined };
  received?: Reader<unknown> | undefined;
};

type Shape<S, Empty = Record<never, never>> = S extends z.ZodType ? z.input<S> : Empty;
type ParsedBy<S> = S extends z.ZodType ? z.output<S> : undefined;

export type OutgoingFile = { name: string; content: Blob | Uint8Array };

type Part<K extends string, S> = S extends z.ZodType ? { [P in K]: z.input<S> } : unknown;

export type OperationInput<O extends Operation> = Part<'params', O['params']> &
  Part<'query', O['query']> &
  Part<'body', O['body']> &
  (O['multipart'] extends z.ZodType ? { form: Shape<O['multipart']>; file: OutgoingFile } : unknown);

/** The service sends `documentName` in the header Content-Disposition. */
export type BinaryOutput = { bytes: Uint8Array; mediaType: string; documentName?: string };

export type Output<O extends Operation> = O['success'] extends { binary: true }
  ? BinaryOutput
  : z.output<O['success']['schema']>;

/** A client may receive less than was promised, because any service may have sent the answer. */
export type Received<O extends Operation> = O['success'] extends { binary: true }
  ? BinaryOutput
  : O['received'] extends Reader<infer T>
    ? T
    : unknown;

/** The validated request, as a handler receives it. */
export type Parsed<O extends Operation> = {
  params: ParsedBy<O['params']>;
  query: ParsedBy<O['query']>;
  body: ParsedBy<O['body']>;
  form: ParsedBy<O['multipart']>;
};

export const isScoped = (access: Access): access is { scope: Scope } => typeof access === 'object';

export const needsAccessToken = (access: Access): access is { scope: Scope } | 'user' =>
  isScoped(access) || access === 'user';

/**
 * All operations under /_sandbox/ have this in common. Of their answers a client needs everything that it shows: a sandbox on this machine may be of
 * another version, but no other service has these operations.
 */
export const control = { access: 'control', source: 'none', extension: true } as const;

// A row of the table of operations (operations.ts): how the client encodes a request, and how it reads the response.
import type { DecodedOperation } from '../api/contract/operation.ts';

/**
 * @property name the group of methods, and the method
 * @property ids the parameters of the path, in their order
 * @property query the names of the parameters of the query
 * @property body a JSON body is sent
 * @property isBodyEmpty the body has no properties
 * @property isUpload a form with a file is sent
 * @property token the access token is sent
 * @property control the control secret of the sandbox is sent
 */
export type ClientOperation = DecodedOperation & {
  name: readonly [group: string, method: string];
  method: string;
  path: string;
  ids?: readonly string[];
  query?: readonly string[];
  body?: true;
  isBodyEmpty?: true;
  isUpload?: true;
  token?: true;
  control?: true;
  idempotent?: true;
  once?: true;
  isLong?: true;
};

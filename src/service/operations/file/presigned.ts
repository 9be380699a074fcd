// Addresses of stored files that need no token: signed with the store's key, valid for an hour (assumed: A28).

import { LIMITS } from '../../../api/contract/limits.ts';
import { epochMsOf } from '../../../common/instant.ts';
import { type Handler, type RequestContext, refuse } from '../../context.ts';
import { isSameSecret } from '../../store/keys.ts';
import { loadContent } from './content.ts';

export function presignedUrl(context: RequestContext, fileId: string): string {
  const expires = epochMsOf(context.now) + LIMITS.presignedUrlLifetimeMs;
  return `${context.origin}/files/${fileId}?expires=${expires}&signature=${signatureOf(context, fileId, expires)}`;
}

const signatureOf = ({ store }: RequestContext, fileId: string, expires: number): string =>
  store.keys.derive(`file ${fileId} until ${expires}`);

export const sendPresignedFile: Handler<'file.presigned'> = async (context, { params, query }) => {
  const isSigned = isSameSecret(query.signature, signatureOf(context, params.fileId, query.expires));
  if (!isSigned || query.expires < epochMsOf(context.now)) return refuse('link_invalid');
  return loadContent(context, params.fileId, undefined);
};

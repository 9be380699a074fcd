// Addresses of stored files that need no token: signed with the store's key, valid for an hour (assumed: A28).
import { epochMsOf } from '../../../api/contract/instant.ts';
import { LIMITS } from '../../../api/contract/limits.ts';
import { type Handler, no, type Scene } from '../../scene.ts';
import { isSameSecret } from '../../store/keys.ts';
import { contentOf } from './content.ts';

export function presignedUrl(scene: Scene, fileId: string): string {
  const expires = epochMsOf(scene.now) + LIMITS.presignedUrlLifetimeMs;
  return `${scene.origin}/files/${fileId}?expires=${expires}&signature=${signatureOf(scene, fileId, expires)}`;
}

const signatureOf = ({ store }: Scene, fileId: string, expires: number): string =>
  store.keys.derive(`file ${fileId} until ${expires}`);

export const presignedFile: Handler<'file.presigned'> = async (scene, { params, query }) => {
  const isSigned = isSameSecret(query.signature, signatureOf(scene, params.fileId, query.expires));
  if (!isSigned || query.expires < epochMsOf(scene.now)) return no('link_invalid');
  return contentOf(scene, params.fileId, undefined);
};

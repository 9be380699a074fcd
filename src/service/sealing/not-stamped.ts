// Says why a document is not stamped, as a refusal: before anybody signs, and at the last signature.
import type { CertifyAnswer, StampAnswer, StampedCompared } from '../../pdf/engine/engine.ts';
import type { NotSealable } from '../../pdf/stamp/plan.ts';
import { refuse } from '../context.ts';

type NotDone = Extract<StampAnswer | StampedCompared | CertifyAnswer, { ok: false }>;

export const notStamped = (refused: NotDone, name: string) => {
  if (refused.reason === 'busy') return refuse('documents_busy');
  if (refused.reason === 'too_complex') return refuse('document_too_complex', { name, limit: refused.limit });
  return refuse('document_not_sealable', { name, why: WHY_NOT[refused.why](refused) });
};

const WHY_NOT: Record<NotSealable['why'], (refused: NotSealable) => string> = {
  characters: ({ label, what }) => `no available font contains the characters ${what} of "${label}"`,
  picture: ({ label }) => `the image in "${label}" cannot be read`,
  page: ({ label }) => `the page of "${label}" is missing`,
  unreadable: () => 'it cannot be rewritten without losing content',
};

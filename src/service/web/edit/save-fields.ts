// Answers the script of the editor, which saves all fields whenever one has changed.

import { LIMITS } from '../../../api/contract/limits.ts';
import { problemOf } from '../../../api/contract/problems.ts';
import type { Reply } from '../../../api/transport.ts';
import type { Content } from '../../domain/transaction.ts';
import { editableFields, partiesOf, revisionOf, saveEditedFields } from '../../sending/edit-fields.ts';
import { readPageForm } from '../forms.ts';
import type { PageRequest } from '../page-request.ts';
import { sendJson } from '../page-response.ts';
import type { Editable } from './editable.ts';

/**
 * Answers with the fields as they are saved or, where someone else has changed them, as that person has. `refused`: what is wrong, and
 * nothing is changed.
 */
export async function saveAllFields(request: PageRequest, { edited, user }: Editable): Promise<Reply> {
  const sent = await readPageForm(request, LIMITS.jsonBytes);
  if (!sent.ok) return sent.reply;
  const fields = parsedOrNothing(sent.form.get('fields'));
  const saved = await saveEditedFields(request.context, user, edited, sent.form.get('revision'), fields);
  if (!saved.ok) {
    const { detail, errors = [] } = problemOf(saved.refusal, '');
    return sendJson({ kind: 'refused', detail, errors });
  }
  const { kind, content } = saved.output;
  return sendJson({ kind, ...savedStateOf(content) });
}

export const savedStateOf = (content: Content) => ({
  revision: revisionOf(content),
  parties: partiesOf(content),
  fields: editableFields(content),
});

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

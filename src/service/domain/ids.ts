// Resolves the ids that a request gives to recipients and fields (assumed: A20): an id of the draft means that recipient or
// field, an unused UUID becomes the id of a new one, and anything else is refused.
import type { FieldError } from '../../api/contract/problems.ts';
import type { Content, DecisionContext } from './transaction.ts';

/** The ids of a request stand in these lists by what they name. */
export type Ids = { recipients: string[]; fields: string[] };

/** An edit also needs the ids that are taken, which the caller has looked up. */
export type EditContext = DecisionContext & { takenIds: Ids };

type Items = { id?: string | undefined }[];

/** RFC 9562 §4. The nil and the max UUID stand for "none" in many programs, and have no version. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Lists the UUIDs of a request that would be new. The caller must look up in the same commit whether they are used. */
export const newIds = (
  { recipients = [], fields = [] }: { recipients?: Items | undefined; fields?: Items | undefined },
  content: Pick<Content, 'recipients' | 'fields'>,
): Ids => ({
  recipients: unknownUuids(recipients, content.recipients),
  fields: unknownUuids(fields, content.fields),
});

const unknownUuids = (items: Items, stored: Items): string[] => {
  const ids = new Set(stored.map(({ id }) => id));
  return items.flatMap(({ id }) => (id !== undefined && UUID.test(id) && !ids.has(id) ? [id] : []));
};

/**
 * Finds what is wrong with the ids of a list. An id that is taken is refused with the same words as one that is no UUID, so
 * that nothing shows whose it is.
 */
export function idErrors(
  list: keyof Ids,
  items: Items,
  content: Pick<Content, 'recipients' | 'fields'>,
  takenIds: Ids,
): FieldError[] {
  const draftIds = new Set(content[list].map(({ id }) => id));
  const used = new Set(takenIds[list]);
  const earlier = new Set<string>();
  const noun = list === 'recipients' ? 'recipient' : 'field';
  return items.flatMap(({ id }, position): FieldError[] => {
    if (id === undefined) return [];
    const path = `${list}.${position}.id`;
    const isTwice = earlier.has(id);
    earlier.add(id);
    if (isTwice) return [{ path, message: `"${id}" is used twice` }];
    if (draftIds.has(id) || (UUID.test(id) && !used.has(id))) return [];
    const message = `"${id}" is neither the ID of a ${noun} of this draft nor an unused UUID. Omit it, or use a new UUID`;
    return [{ path, message }];
  });
}

/** Refuses items that share an `index`: the service must not choose which of two people signs first. */
export function indexErrors(
  list: 'recipients' | 'documents',
  items: readonly { index: number }[],
): FieldError[] {
  return items.flatMap(({ index }, position): FieldError[] => {
    const first = items.findIndex((item) => item.index === index);
    if (first === position) return [];
    const message = `must differ from ${list}.${first}.index: both are ${index}`;
    return [{ path: `${list}.${position}.index`, message }];
  });
}

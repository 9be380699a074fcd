// Merges what two people have changed in the same fields.
import type { EditedField } from './draft.ts';

/** `lost`: fields that both have changed, as this person had them; `fields` has them as the other person saved them. */
export type Merged = { fields: EditedField[]; lost: EditedField[] };

/** @param base what both began with */
export function mergeFields(
  base: readonly EditedField[],
  mine: readonly EditedField[],
  theirs: readonly EditedField[],
): Merged {
  const [baseById, mineById, theirsById] = [base, mine, theirs].map(
    (fields) => new Map(fields.map((field) => [field.id, field])),
  ) as [FieldMap, FieldMap, FieldMap];
  const lost: EditedField[] = [];
  const merged = theirs.flatMap((their): EditedField[] => {
    const [before, my] = [baseById.get(their.id), mineById.get(their.id)];
    if (before === undefined || same(my, before)) return [their];
    if (same(their, before)) return my ? [my] : [];
    if (my && !same(my, their)) lost.push(my);
    return [their];
  });
  for (const my of mine) {
    if (theirsById.has(my.id)) continue;
    const before = baseById.get(my.id);
    if (before === undefined) merged.push(my);
    else if (!same(my, before)) lost.push(my);
  }
  return { fields: merged, lost };
}

type FieldMap = Map<string, EditedField>;

export const same = (one: EditedField | undefined, other: EditedField | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && sorted(one) === sorted(other));

const sorted = (field: EditedField): string =>
  JSON.stringify(Object.entries(field).sort(([one], [other]) => (one < other ? -1 : 1)));

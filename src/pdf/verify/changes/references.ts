// Lists the references that a value has, without following them.
import { type Dict, PdfStream, Ref, type Value } from '../../syntax/values.ts';

export function referencesIn(value: Value): Ref[] {
  const references: Ref[] = [];
  const open: Value[] = [value];
  while (open.length > 0) {
    const next = open.pop()!;
    if (next instanceof Ref) references.push(next);
    else if (Array.isArray(next)) for (const item of next) open.push(item);
    else {
      const dict: Dict | undefined =
        next instanceof PdfStream ? next.dict : next instanceof Map ? next : undefined;
      if (dict) for (const item of dict.values()) open.push(item);
    }
  }
  return references;
}

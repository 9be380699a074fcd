// Finds the fields of a part that begin and do not end. Everything behind such a beginning would be a part of its code, which is not shown.
import { chosenOf, type Element, isElement, val } from './xml.ts';

/** @returns the marks where they begin */
export function endlessFieldsIn(part: Element): Set<Element> {
  const endless = new Set<Element>();
  /** @param from fields that began outside of this element, if it is a field itself, do not end in it */
  const walk = (element: Element, open: Element[], from: number): void => {
    for (const child of element.children) {
      if (!isElement(child)) continue;
      if (child.name === 'w:fldChar') {
        const type = val(child, 'w:fldCharType');
        if (type === 'begin') open.push(child);
        else if (type === 'end' && open.length > from) open.pop();
      } else if (child.name === 'w:fldSimple') {
        const before = open.length;
        walk(child, open, before);
        for (const mark of open.splice(before)) endless.add(mark);
      } else if (child.name === 'mc:AlternateContent') {
        const chosen = chosenOf(child);
        if (chosen) walk(chosen, open, from);
      } else walk(child, open, from);
    }
  };
  const open: Element[] = [];
  walk(part, open, 0);
  for (const mark of open) endless.add(mark);
  return endless;
}

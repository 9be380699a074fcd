// A save names only objects that exist. Where it names another, some readers search the whole file for it, and find what lies hidden there.

import type { PdfFile, PdfView } from '../../read/read-pdf.ts';
import type { FileSection } from '../../read/sections.ts';
import { type Dict, PdfStream, Ref, type Value } from '../../read/values.ts';
import { defineSaveRule, type Irregularity, irregular } from './rule.ts';

export const danglingReferences = defineSaveRule({
  name: 'dangling-references',
  allows: 'A later save refers only to objects that exist, by their generation.',
  source: 'ISO 32000-2, 7.3.10',
  codes: ['update_irregular'],
  judge({ file, signed }) {
    for (let index = signed.index + 1; index < file.sections.length; index += 1) {
      const fault = referencesFault(file, index);
      if (fault) return irregular(fault);
    }
    return undefined;
  },
});

const referencesFaults = new WeakMap<FileSection, { fault: Irregularity | undefined }>();

/** A save names only objects that are there. Each save is asked about for several signatures. */
function referencesFault(file: PdfFile, index: number): Irregularity | undefined {
  const section = file.sections[index]!;
  const stored = referencesFaults.get(section) ?? { fault: findMissing(file, index) };
  referencesFaults.set(section, stored);
  return stored.fault;
}

function findMissing(file: PdfFile, index: number): Irregularity | undefined {
  const { start, trailer, places } = file.sections[index]!;
  const [view, previous] = [file.view(index), file.view(index - 1)];
  if (leadsNowhere(view, trailer.get('Info') ?? null, previous.trailer.get('Info')))
    return { at: start, part: 'reference' };
  for (const number of places.keys()) {
    const value = view.object(number)?.value ?? null;
    if (leadsNowhere(view, value, previous.object(number)?.value))
      return { at: view.object(number)?.start ?? start, part: 'reference', object: number };
  }
  return undefined;
}

/**
 * Tells whether a value names an object that is not there, or by another generation: some readers search the whole file for such an object, and
 * others ignore the generation. What the value named before may stay.
 */
function leadsNowhere(view: PdfView, value: Value, before: Value | undefined): boolean {
  const missing = referencesIn(value).filter(
    ({ number, generation }) => view.object(number)?.generation !== generation,
  );
  if (missing.length === 0) return false;
  const named = new Set(referencesIn(before ?? null).map(nameOf));
  return missing.some((reference) => !named.has(nameOf(reference)));
}

const nameOf = ({ number, generation }: Ref) => `${number} ${generation}`;

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

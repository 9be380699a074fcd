// Files that a PDF carries as associated files (ISO 32000-2, 14.13). What they hold is hostile until it has been checked.
import type { PdfView } from './read-pdf.ts';
import { textOf, type Value } from './values.ts';

/** The files of this name that belong to the whole document. A name for old readers counts as well. */
export function associatedFiles(view: PdfView, name: string): Value[] {
  return (view.array(view.dict(view.root)?.get('AF')) ?? []).flatMap((item) => {
    const specification = view.dict(item);
    const files = view.dict(specification?.get('EF'));
    const names = ['UF', 'F'].map((key) => textOf(view.resolve(specification?.get(key))));
    const file = files?.get('UF') ?? files?.get('F');
    return names.includes(name) && file !== undefined ? [file] : [];
  });
}

// Tells which saves came after a signature, which signature or timestamp was made with each of them, and what each changed. It judges nothing.
import type { PdfFile } from '../syntax/read-pdf.ts';
import type { Change } from './changes/diff-context.ts';

export type LaterSave = {
  /** From 1, which is the first version of the file. */
  number: number;
  /** The field whose signature or timestamp was made with it; undefined where none was. */
  field: string | undefined;
  /** The object of that signature: fields may have the same name. */
  object: number | undefined;
  changes: Change[];
};

/** A signature, and the index of the section with which it was made. */
type Made = { field: string; object: number | undefined; index: number };

/**
 * @param signed the index of the last section that is signed
 * @param changes what differs between that version and the file as it is now
 */
export function laterSavesOf(
  { sections }: PdfFile,
  signed: number,
  changes: readonly Change[],
  made: readonly Made[],
): LaterSave[] {
  // A linearized file has two sections for its first version: the second one stands before the first.
  const isLinearized = sections.length > 1 && sections[1]!.start < sections[0]!.start;
  return sections.slice(signed + 1).map(({ places }, later) => {
    const index = signed + 1 + later;
    const own = made.find((one) => one.index === index);
    return {
      number: isLinearized ? index : index + 1,
      field: own?.field,
      object: own?.object,
      changes: changes.filter(({ objects }) => objects.some((number) => places.has(number))),
    };
  });
}

// How the parts of a DOCX name each other: relationships, and which part is the document itself. It must never follow a
// name that leads out of the package.
import { posix } from 'node:path';
import { unreadableDocx } from './not-usable.ts';
import type { Package } from './package.ts';
import { childrenNamed, type Element, newBudget, readXml, type XmlBudget } from './xml.ts';

export type Relationship = {
  id: string;
  /** The last word of its type: `styles`, `image`, `hyperlink`. */
  kind: string;
  /** The name of a part, or what stands in the file when it is outside of the package. */
  target: string;
  isExternal: boolean;
};

export type PackageParts = {
  package: Package;
  budget: XmlBudget;
  /** The name of the document's own part. */
  main: string;
  /** The root element of a part; undefined where there is none. */
  xml(name: string): Element | undefined;
  relationships(part: string): ReadonlyMap<string, Relationship>;
  /** The first part that `from` names for this. */
  related(from: string, kind: string): string | undefined;
};

/** @throws NotUsable where it is no Word document */
export function readParts(pack: Package): PackageParts {
  const budget = newBudget();
  const known = new Map<string, ReadonlyMap<string, Relationship>>();
  const xml = (name: string): Element | undefined => {
    const bytes = pack.read(name);
    return bytes && readXml(bytes, budget);
  };
  const relationships = (part: string) => {
    const read = known.get(part) ?? relationshipsOf(part, xml(relationshipsPart(part)));
    known.set(part, read);
    return read;
  };
  const related = (from: string, kind: string) => {
    const named = [...relationships(from).values()].filter((one) => one.kind === kind && !one.isExternal);
    return named.map(({ target }) => target).find((target) => pack.has(target));
  };
  const main =
    related('', 'officeDocument') ?? (pack.has('word/document.xml') ? 'word/document.xml' : undefined);
  if (!main) throw unreadableDocx();
  return { package: pack, budget, main, xml, relationships, related };
}

/** `word/document.xml` has its own in `word/_rels/document.xml.rels`; those of the package itself are in `_rels/.rels`. */
export const relationshipsPart = (part: string): string =>
  posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);

function relationshipsOf(part: string, root: Element | undefined): ReadonlyMap<string, Relationship> {
  const all = new Map<string, Relationship>();
  for (const { attributes } of childrenNamed(root, 'rel:Relationship')) {
    const { Id: id, Type: type, Target: target, TargetMode: mode } = attributes;
    if (id === undefined || type === undefined || target === undefined) continue;
    const isExternal = mode === 'External';
    const kind = type.slice(type.lastIndexOf('/') + 1);
    all.set(id, { id, kind, isExternal, target: isExternal ? target : partName(part, target) });
  }
  return all;
}

/** A target is relative to the part that names it, or begins at the top of the package. */
export function partName(from: string, target: string): string {
  const base = target.startsWith('/') ? '/' : `/${posix.dirname(from)}`;
  return posix.join(base, target.split('#')[0]!).slice(1);
}

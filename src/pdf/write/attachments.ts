// Keeps and names the files that a PDF has, and puts another beside them. The tree that names them becomes flat, so
// that one more is easily added later. It must never change the bytes of a file.
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  type PDFRef,
  PDFString,
} from '@cantoo/pdf-lib';
import { STAMP_LIMITS } from '../limits.ts';
import { arrayIn, dictIn, textFrom, textIn } from './look-up.ts';

export type Attachment = {
  name: string;
  mediaType: string;
  bytes: Uint8Array;
  /** It says what the file is to the document (ISO 32000-2, table 43). */
  relationship: 'Data' | 'Source';
  description: string;
  /** PDF has its own form of times. */
  changedAt?: string;
};

type Entry = { key: string; file: PDFObject };

/**
 * Names the files that are there, in the tree of names or as associated files: all are in the tree afterwards.
 * @param reserved a name that another file is going to have: what has it already gets another one
 */
export function keepAttachments(catalog: PDFDict, reserved: string): string[] {
  const tree = dictIn(dictIn(catalog, 'Names') ?? catalog.context.obj({}), 'EmbeddedFiles');
  const inTree = tree ? entriesOf(tree) : [];
  const existing = [...inTree, ...associatedEntries(catalog, inTree)];
  if (!tree && existing.length === 0) return [];
  const usedNames = new Set([reserved, ...existing.map(({ key }) => key)]);
  const entries = existing.map(({ key, file }) => {
    if (!isNamed(catalog.context.lookup(file), reserved) && key !== reserved) return { key, file };
    const name = freeName(reserved, usedNames);
    usedNames.add(name);
    rename(catalog.context.lookup(file), name);
    return { key: name, file };
  });
  setEntries(catalog, entries);
  return entries.map(({ key, file }) => nameOf(catalog.context.lookup(file)) ?? key);
}

/** Lists associated files (ISO 32000-2, 14.13) that the tree does not name. */
function associatedEntries(catalog: PDFDict, inTree: readonly Entry[]): Entry[] {
  const { context } = catalog;
  const treeFiles = new Set(inTree.map(({ file }) => context.lookup(file)));
  const usedNames = new Set(inTree.map(({ key }) => key));
  const listed = arrayIn(catalog, 'AF')?.asArray() ?? [];
  const files = listed
    .filter((file) => context.lookup(file) instanceof PDFDict)
    .slice(0, STAMP_LIMITS.attachments);
  // What is too much, or no dictionary, is no associated file afterwards.
  if (files.length < listed.length) catalog.set(PDFName.of('AF'), context.obj(files));
  return files.flatMap((file) => {
    const specification = context.lookup(file);
    if (!(specification instanceof PDFDict) || treeFiles.has(specification)) return [];
    treeFiles.add(specification);
    const key = freeName(nameOf(specification) ?? 'file', usedNames);
    usedNames.add(key);
    return [{ key, file }];
  });
}

const nameOf = (file: PDFObject | undefined): string | undefined =>
  file instanceof PDFDict ? (textIn(file, 'UF') ?? textIn(file, 'F')) : undefined;

const isNamed = (file: PDFObject | undefined, name: string): boolean =>
  file instanceof PDFDict && ['UF', 'F'].some((key) => textIn(file, key) === name);

function rename(file: PDFObject | undefined, name: string): void {
  if (!(file instanceof PDFDict)) return;
  file.set(PDFName.of('UF'), PDFHexString.fromText(name));
  file.set(PDFName.of('F'), PDFString.of(plainName(name)));
}

/** Reads the whole tree, as far as it is one. */
function entriesOf(tree: PDFDict): Entry[] {
  const entries: Entry[] = [];
  const waiting: PDFDict[] = [tree];
  const visited = new Set<PDFDict>();
  for (let node = waiting.pop(); node && visited.size < STAMP_LIMITS.treeNodes; node = waiting.pop()) {
    if (visited.has(node)) continue;
    visited.add(node);
    const [kids, names] = [arrayIn(node, 'Kids'), arrayIn(node, 'Names')];
    for (let index = (kids?.size() ?? 0) - 1; index >= 0; index -= 1) {
      const kid = kids?.lookup(index);
      if (kid instanceof PDFDict) waiting.push(kid);
    }
    for (let index = 0; names && index + 1 < names.size(); index += 2) {
      const key = names.lookup(index);
      if (key instanceof PDFString || key instanceof PDFHexString)
        entries.push({ key: textFrom(key) ?? '', file: names.get(index + 1) });
    }
  }
  return entries.slice(0, STAMP_LIMITS.attachments);
}

function setEntries(catalog: PDFDict, entries: readonly Entry[]): void {
  const { context } = catalog;
  const names = dictIn(catalog, 'Names') ?? context.obj({});
  // A tree is searched by the bytes of its keys.
  const sorted = entries
    .map(({ key, file }) => ({ key: PDFHexString.fromText(key), file }))
    .sort((a, b) => (a.key.toString() < b.key.toString() ? -1 : 1));
  const flat = PDFArray.withContext(context);
  for (const { key, file } of sorted) {
    flat.push(key);
    flat.push(file);
  }
  const tree = context.obj({});
  tree.set(PDFName.of('Names'), flat);
  names.set(PDFName.of('EmbeddedFiles'), tree);
  catalog.set(PDFName.of('Names'), names);
}

/** Puts a file into the document, where readers list it and where programs find what it is. */
export function addAttachment(catalog: PDFDict, attachment: Attachment): void {
  const { context } = catalog;
  const tree = dictIn(dictIn(catalog, 'Names') ?? context.obj({}), 'EmbeddedFiles');
  const there = tree ? entriesOf(tree) : [];
  const usedNames = new Set(there.map(({ key }) => key));
  const name = freeName(attachment.name, usedNames);
  const file = fileSpecification(context, { ...attachment, name });
  setEntries(catalog, [...there, { key: name, file }]);
  const associated = arrayIn(catalog, 'AF')?.asArray() ?? [];
  catalog.set(PDFName.of('AF'), context.obj([...associated, file]));
}

function freeName(name: string, usedNames: ReadonlySet<string>): string {
  if (!usedNames.has(name)) return name;
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let count = 2;
  while (usedNames.has(`${stem} (${count})${ending}`)) count += 1;
  return `${stem} (${count})${ending}`;
}

/** @returns the reference to what names the file and says what it is (ISO 32000-2, 7.11.3) */
export function fileSpecification(
  context: PDFContext,
  { name, mediaType, bytes, relationship, description, changedAt }: Attachment,
): PDFRef {
  const stream = context.stream(deflateSync(bytes), {
    Type: 'EmbeddedFile',
    Subtype: mediaType,
    Filter: 'FlateDecode',
    Params: {
      Size: bytes.length,
      ...(changedAt && { ModDate: PDFString.of(changedAt) }),
      CheckSum: PDFHexString.of(createHash('md5').update(bytes).digest('hex')),
    },
  });
  const embedded = context.register(stream);
  return context.register(
    context.obj({
      Type: 'Filespec',
      F: PDFString.of(plainName(name)),
      UF: PDFHexString.fromText(name),
      Desc: PDFHexString.fromText(description),
      AFRelationship: relationship,
      EF: { F: embedded, UF: embedded },
    }),
  );
}

/** Some readers know no other letters. */
const plainName = (name: string): string => name.replace(/[^A-Za-z0-9 ._-]/g, '_');

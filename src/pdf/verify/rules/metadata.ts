// Title, author and times are shown beside a document, never in it. A writer states them anew with each save.

import { VERIFY_LIMITS } from '../../limits.ts';
import type { PdfFile, PdfView } from '../../read/read-pdf.ts';
import { isSame, PdfStream, textOf, type Value } from '../../read/values.ts';
import { changedObjectsIn, isTouched, objectNumberOf } from '../changes/diff-context.ts';
import { defineRule, objection } from './rule.ts';

/** Finds the title and author of a version: many readers take them from an earlier save where the last one names none. */
export const informationOf = ({ sections }: PdfFile, { index }: PdfView): Value | undefined =>
  sections
    .slice(0, index + 1)
    .findLast(({ trailer }) => trailer.has('Info'))
    ?.trailer.get('Info');

export const metadata = defineRule({
  name: 'metadata',
  allows: 'Title, author and times may change, but not after a certification that allows no changes.',
  source: 'ISO 32000-2, 14.3 and 12.8.2.2',
  codes: ['changed_structure'],
  *judge(context) {
    const { file, old, latest, catalogs, permission } = context;
    const objects: number[] = [];
    const [before, after] = [informationOf(file, old), informationOf(file, latest)];
    // An object that was there may be named instead, so that none differs.
    const isAnother = !isSame(before, after);
    if (isAnother || isTouched(context, after)) objects.push(...changedObjectsIn(context, before, after));
    const [was, is] = [catalogs.before.get('Metadata'), catalogs.after.get('Metadata')];
    if (!isSame(was, is) || isTouched(context, is)) {
      const stream = latest.resolve(is);
      // A page could draw another stream.
      if (!(stream instanceof PdfStream) || stream.dict.get('Subtype') !== 'XML') {
        yield objection('changed_structure', objectNumberOf(is), { part: 'Metadata' });
        return;
      }
      objects.push(...changedObjectsIn(context, was, is));
    }
    if (objects.length === 0 && !isAnother) return;
    yield { explained: objects };
    yield { change: { kind: 'metadata', objects } };
    if (permission === 'nothing') yield objection('changed_structure', objects[0], { part: 'Metadata' });
  },
});

export type ChangedText = { property: 'title' | 'author'; before: string; after: string };

/** Each text has an entry of the information, and an element of the metadata (ISO 16684-1, 8.3). */
const TEXTS = [
  ['title', 'Title', 'title'],
  ['author', 'Author', 'creator'],
] as const;

type ComparedFile = { file: PdfFile; signatures: readonly { covers: { save: number } | undefined }[] };

/**
 * Compares the title and the author of the first signed version with those of the file, in its information and in its metadata (XMP). A save may change them, and
 * viewers show the title in the place of the file's name.
 */
export function changedTexts({ file, signatures }: ComparedFile): ChangedText[] {
  const first = signatures.find(({ covers }) => covers)?.covers;
  if (!first || first.save === file.sections.length - 1) return [];
  const versions = [first.save, file.sections.length - 1].map((save) => textsOf(file, save));
  const changed = TEXTS.flatMap(([property]) =>
    [0, 1].map((source) => {
      const [before = '', after = ''] = versions.map((texts) => texts[property][source]);
      return { property, before, after };
    }),
  ).filter(({ before, after }) => before !== after);
  return [...new Map(changed.map((text) => [JSON.stringify(text), text])).values()];
}

/** Reads each text by the information, and by the metadata. */
function textsOf(file: PdfFile, save: number): Record<ChangedText['property'], string[]> {
  const view = file.view(save);
  const info = view.dict(informationOf(file, view));
  const metadata = view.data(view.dict(view.root)?.get('Metadata'));
  const xml = metadata && metadata.length <= VERIFY_LIMITS.metadataBytes ? decoded(metadata) : '';
  const prefixes = prefixesIn(xml);
  const texts = TEXTS.map(([property, key, element]) => [
    property,
    [textOf(view.resolve(info?.get(key))) ?? '', elementIn(xml, prefixes, element)].map(condensed),
  ]);
  return Object.fromEntries(texts);
}

const MOST_LETTERS = 200;

function condensed(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ').trim()];
  return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS).join('')}…` : letters.join('');
}

/** Metadata is in UTF-8, and in UTF-16 where it begins with a mark that says so. */
function decoded(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2);
  const encoding = mark === 'feff' ? 'utf-16be' : mark === 'fffe' ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/** Elements of Dublin Core begin with `dc:`, or with nothing where it is the default. */
function prefixesIn(xml: string): Set<string> {
  const declared = xml.matchAll(
    /\bxmlns(?::([\w.-]+))?\s*=\s*(["'])http:\/\/purl\.org\/dc\/elements\/1\.1\/\2/g,
  );
  return new Set([...declared].map(([, prefix]) => (prefix === undefined ? '' : `${prefix}:`)));
}

/** Collects all texts of the element, or of the attribute that stands for it. */
function elementIn(xml: string, prefixes: ReadonlySet<string>, name: string): string {
  const texts: string[] = [];
  let depth = 0;
  for (const [, tag, section, text] of xml.matchAll(
    /<(?!!\[CDATA\[)([^<>]*)>|<!\[CDATA\[([^<]*)\]\]>|([^<]+)/g,
  )) {
    const called = tag === undefined ? undefined : /^\/?([\w.:-]+)/.exec(tag)?.[1];
    const isIt = called !== undefined && [...prefixes].some((prefix) => called === `${prefix}${name}`);
    if (isIt && !tag?.endsWith('/')) depth = tag?.startsWith('/') ? 0 : 1;
    else if (depth > 0 && (section ?? text)?.trim()) texts.push(section ?? unescaped(text ?? ''));
    for (const prefix of prefixes)
      if (tag !== undefined && prefix !== '') texts.push(...attributesIn(tag, `${prefix}${name}`));
  }
  return texts.join(' ');
}

const attributesIn = (tag: string, name: string): string[] =>
  [...tag.matchAll(/\s([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].flatMap(([, key, double, single]) =>
    key === name ? [unescaped(double ?? single ?? '')] : [],
  );

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, entity) => {
    if (entity !== undefined) return Object.hasOwn(ENTITIES, entity) ? ENTITIES[entity]! : whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

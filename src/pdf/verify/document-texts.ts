// Finds where a later save gives the document another title or author, in its information or in its metadata (XMP). Such a save is allowed, and viewers
// show the title in the place of the file's name. It must never decide on a verdict.
import { VERIFY_LIMITS } from '../limits.ts';
import type { PdfFile } from '../syntax/read-pdf.ts';
import { textOf } from '../syntax/values.ts';
import { informationOf } from './rules/metadata.ts';
import type { PdfReport } from './verify-pdf.ts';

export type ChangedText = { property: 'title' | 'author'; before: string; after: string };

/** The entry of the information, and the element of the metadata (ISO 16684-1, 8.3). */
const TEXTS = [
  ['title', 'Title', 'title'],
  ['author', 'Author', 'creator'],
] as const;

/** Compares the first signed version with the file. */
export function changedTexts({ file, signatures }: PdfReport): ChangedText[] {
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

/** Each text by the information, and by the metadata. */
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

/** What elements of Dublin Core begin with: `dc:`, or nothing where it is the default. */
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

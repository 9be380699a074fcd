// Reads XML into a small tree of elements with short names. It is strict: no DOCTYPE, no entities but the five of XML
// itself, and limits on depth, elements and text that hold for all parts of a document together.
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { DOCUMENT_LIMITS } from '../pdf/limits.ts';
import { limitExceeded, NotUsable, unreadableDocx } from './not-usable.ts';

/** `name` and the keys of `attributes` have the short prefixes of `NAMESPACES`: `w:p`, `r:id`; others have none: `val`. */
export type Element = {
  name: string;
  attributes: Record<string, string>;
  children: (Element | string)[];
};

/** It counts what the parts of one document have used up. */
export type XmlBudget = {
  elements: number;
  characters: number;
  /** It counts the marks on the letter that was read last. */
  marks: number;
};

export const newBudget = (): XmlBudget => ({ elements: 0, characters: 0, marks: 0 });

// Both namespaces of each vocabulary: the transitional one, and the one of strict files (ISO 29500, part 1).
const OFFICE = 'http://schemas.openxmlformats.org/';
const STRICT = 'http://purl.oclc.org/ooxml/';
const MICROSOFT = 'http://schemas.microsoft.com/office/word/';
const NAMESPACES = new Map<string, string>([
  ...both('wordprocessingml', 'w'),
  ...both('officeDocument', 'r', 'relationships'),
  ...both('officeDocument', 'm', 'math'),
  ...both('drawingml', 'wp', 'wordprocessingDrawing'),
  ...both('drawingml', 'a'),
  ...both('drawingml', 'pic', 'picture'),
  ...both('drawingml', 'c', 'chart'),
  ...both('drawingml', 'dgm', 'diagram'),
  [`${OFFICE}markup-compatibility/2006`, 'mc'],
  [`${OFFICE}package/2006/relationships`, 'rel'],
  [`${OFFICE}package/2006/content-types`, 'ct'],
  [`${MICROSOFT}2010/wordprocessingShape`, 'wps'],
  [`${MICROSOFT}2010/wordprocessingGroup`, 'wpg'],
  [`${MICROSOFT}2010/wordprocessingCanvas`, 'wpc'],
  [`${MICROSOFT}2010/wordml`, 'w14'],
  ['http://schemas.microsoft.com/office/drawing/2008/diagram', 'dsp'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['urn:schemas-microsoft-com:office:office', 'o'],
  ['urn:schemas-microsoft-com:office:word', 'w10'],
]);

function both(vocabulary: string, prefix: string, last = 'main'): [string, string][] {
  return [
    [`${OFFICE}${vocabulary}/2006/${last}`, prefix],
    [`${STRICT}${vocabulary}/${last}`, prefix],
  ];
}

const UNKNOWN = '?';
/** An attribute takes this much memory beside an element. */
const ATTRIBUTE = 0.25;
/** These attributes say which editing session something comes from; they are most of the attributes there are. */
const OF_EDITING = /^w:rsid|^w14:(paraId|textId)$|^\?:|^__proto__$/;

/** @throws NotUsable */
export function readXml(bytes: Uint8Array, budget: XmlBudget): Element {
  const top: Element = { name: '', attributes: {}, children: [] };
  const open: Element[] = [top];
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('error', () => {
    throw unreadableDocx();
  });
  parser.on('doctype', () => {
    throw limitExceeded('xml_doctype');
  });
  const use = (elements: number) => {
    budget.elements += elements;
    if (budget.elements > DOCUMENT_LIMITS.docxElements) throw limitExceeded('xml_elements');
  };
  let attributes = 0;
  // Told one by one, before the end of the tag is looked for.
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > DOCUMENT_LIMITS.docxAttributes) throw limitExceeded('xml_elements');
    use(ATTRIBUTE);
  });
  parser.on('opentag', (tag) => {
    attributes = 0;
    const element = elementOf(tag);
    use(1);
    if (open.length > DOCUMENT_LIMITS.docxDepth) throw limitExceeded('nesting');
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  const add = (text: string) => {
    budget.characters += text.length;
    if (budget.characters > DOCUMENT_LIMITS.docxCharacters) throw limitExceeded('text');
    if (hasTooManyMarks(text, budget)) throw limitExceeded('marks');
    open.at(-1)!.children.push(text);
  };
  parser.on('text', add);
  parser.on('cdata', add);
  try {
    parser.write(decodeXml(bytes)).close();
  } catch (error) {
    throw error instanceof NotUsable ? error : unreadableDocx();
  }
  const root = top.children.find((child) => typeof child !== 'string');
  if (!root) throw unreadableDocx();
  return root;
}

const MARKS = /\p{M}+/gu;

/**
 * Counts the marks on one letter, which may stand in several elements: LibreOffice places each of them in relation to all others. Blanks between elements
 * are no letters.
 */
function hasTooManyMarks(text: string, budget: XmlBudget): boolean {
  const letters = text.trim();
  if (letters === '') return false;
  let end = 0;
  let last = 0;
  for (const { 0: marks, index } of letters.matchAll(MARKS)) {
    last = marks.length + (index === 0 ? budget.marks : 0);
    if (last > DOCUMENT_LIMITS.docxMarks) return true;
    end = index + marks.length;
  }
  budget.marks = end === letters.length ? last : 0;
  return false;
}

function elementOf({ uri, local, attributes: xmlAttributes }: SaxesTagNS): Element {
  const attributes: Record<string, string> = {};
  for (const key in xmlAttributes) {
    const { uri, local, value } = xmlAttributes[key]!;
    const name = uri === '' ? local : shortName(uri, local);
    if (!OF_EDITING.test(name)) attributes[name] = value;
  }
  return { name: shortName(uri, local), attributes, children: [] };
}

export const shortName = (uri: string, local: string): string => `${NAMESPACES.get(uri) ?? UNKNOWN}:${local}`;

/** Every part is written in UTF-8 or UTF-16 (ECMA-376, part 2, 6.2.5). */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  try {
    return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8', { fatal: true }).decode(
      bytes,
    );
  } catch {
    throw unreadableDocx();
  }
}

export const isElement = (child: Element | string): child is Element => typeof child !== 'string';

export const childElementsOf = ({ children }: Element): Element[] => children.filter(isElement);

export const childOf = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((child): child is Element => isElement(child) && child.name === name);

export const childrenNamed = (element: Element | undefined, name: string): Element[] =>
  element ? childElementsOf(element).filter((child) => child.name === name) : [];

/** Follows a path of names. */
export function descend(element: Element | undefined, ...names: string[]): Element | undefined {
  return names.reduce<Element | undefined>(childOf, element);
}

/** Iterates over all descendants in document order; the descendants of an element for which `isEnd` is true are omitted. */
export function* below(
  element: Element,
  isEnd: (descendant: Element) => boolean = () => false,
): Generator<Element> {
  for (const child of element.children) {
    if (!isElement(child)) continue;
    yield child;
    if (!isEnd(child)) yield* below(child, isEnd);
  }
}

/** Most elements have `w:val`. */
export const val = (element: Element | undefined, name = 'w:val'): string | undefined =>
  element?.attributes[name];

export const elementText = ({ children }: Element): string =>
  children.filter((child) => typeof child === 'string').join('');

// Vocabularies that are understood here, by the prefixes that Word writes for them.
const UNDERSTOOD = new Set([
  'wps',
  'wpg',
  'wpc',
  'wp14',
  'w14',
  'w15',
  'w16',
  'w16se',
  'w16cid',
  'v',
  'a14',
  'pic',
  'dsp',
]);

/** Chooses the one alternative to read: all of them represent the same content. */
export function chosenOf(alternatives: Element): Element | undefined {
  const isUnderstood = (choice: Element) =>
    (val(choice, 'Requires') ?? '').split(/\s+/).every((prefix) => UNDERSTOOD.has(prefix));
  const choices = childrenNamed(alternatives, 'mc:Choice');
  return choices.find(isUnderstood) ?? childOf(alternatives, 'mc:Fallback') ?? choices[0];
}

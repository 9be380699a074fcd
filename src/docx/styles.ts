// Resolves styles: what a paragraph and its text look like once the defaults, the styles it is based on and its own
// properties have been put on top of each other (ECMA-376, part 1, 17.7.2).
import { color, eighths, halfPoints, isOn, lookUp, twips, whole } from './attributes.ts';
import type { Alignment, Border, Borders, ParagraphStyle, TabStop, TextStyle } from './model.ts';
import type { PackageParts } from './package.ts';
import { childElementsOf, childOf, childrenNamed, descend, type Element, val } from './xml.ts';

export type NamedStyle = {
  id: string;
  kind: string;
  /** It has the properties of each style, from the most general one down to this. */
  chain: Element[];
};

export type Styles = {
  find(id: string | undefined): NamedStyle | undefined;
  defaultParagraph: NamedStyle | undefined;
  defaultTable: NamedStyle | undefined;
  paragraphDefaults: ParagraphStyle;
  textDefaults: TextStyle;
  themeFonts: ThemeFonts;
};

type ThemeFonts = { major: string | undefined; minor: string | undefined };

// Word's own, where a document says nothing.
const TEXT: TextStyle = {
  family: 'Times New Roman',
  size: 10,
  isBold: false,
  isItalic: false,
  isUnderlined: false,
  isStruck: false,
  isCaps: false,
  isSmallCaps: false,
  isHidden: false,
  isRightToLeft: false,
  color: undefined,
  background: undefined,
  place: 'baseline',
  raised: 0,
  spacing: 0,
};
const PARAGRAPH: ParagraphStyle = {
  alignment: 'left',
  indentLeft: 0,
  indentRight: 0,
  indentFirst: 0,
  before: 0,
  after: 0,
  line: { rule: 'auto', value: 1 },
  tabs: [],
  isKeptWithNext: false,
  isKeptTogether: false,
  startsPage: false,
  hasNoSpaceBetween: false,
  isRightToLeft: false,
  background: undefined,
  borders: {},
  styleId: undefined,
};
/** Styles that are based on each other in a circle end here. */
const LONGEST_CHAIN = 32;

export function readStyles(parts: PackageParts): Styles {
  const part = parts.related(parts.main, 'styles');
  const root = part === undefined ? undefined : parts.xml(part);
  const byId = new Map(childrenNamed(root, 'w:style').map((style) => [val(style, 'w:styleId'), style]));
  const styles = new Map<string, NamedStyle>();
  const find = (id: string | undefined): NamedStyle | undefined => {
    const element = byId.get(id);
    if (id === undefined || !element) return undefined;
    const style = styles.get(id) ?? {
      id,
      kind: val(element, 'w:type') ?? '',
      chain: chainOf(element, byId),
    };
    styles.set(id, style);
    return style;
  };
  const defaultOf = (kind: string) => {
    const isDefault = (style: Element) =>
      val(style, 'w:default') !== undefined && isOn(val(style, 'w:default'));
    const style = [...byId.values()].find((item) => val(item, 'w:type') === kind && isDefault(item));
    return find(val(style, 'w:styleId'));
  };
  const themeFonts = readThemeFonts(parts);
  const defaults = childOf(root, 'w:docDefaults');
  return {
    find,
    defaultParagraph: defaultOf('paragraph'),
    defaultTable: defaultOf('table'),
    textDefaults: withText(TEXT, descend(defaults, 'w:rPrDefault', 'w:rPr'), themeFonts),
    paragraphDefaults: withParagraph(PARAGRAPH, descend(defaults, 'w:pPrDefault', 'w:pPr')),
    themeFonts,
  };
}

function chainOf(style: Element, byId: ReadonlyMap<string | undefined, Element>): Element[] {
  const chain: Element[] = [];
  for (let at: Element | undefined = style; at && chain.length < LONGEST_CHAIN; ) {
    chain.unshift(at);
    at = byId.get(val(childOf(at, 'w:basedOn')));
  }
  return chain;
}

function readThemeFonts(parts: PackageParts): ThemeFonts {
  const part = parts.related(parts.main, 'theme');
  const scheme = part === undefined ? undefined : descend(parts.xml(part), 'a:themeElements', 'a:fontScheme');
  const latin = (which: string) => val(descend(scheme, which, 'a:latin'), 'typeface') || undefined;
  return { major: latin('a:majorFont'), minor: latin('a:minorFont') };
}

/** Puts the properties of every style of a chain on top of each other. */
export const withTextOf = (text: TextStyle, style: NamedStyle | undefined, fonts: ThemeFonts): TextStyle =>
  (style?.chain ?? []).reduce((on, item) => withText(on, childOf(item, 'w:rPr'), fonts), text);

const SUPERSCRIPTS: Record<string, TextStyle['place']> = {
  superscript: 'superscript',
  subscript: 'subscript',
};
const HIGHLIGHTS: Record<string, string> = {
  yellow: 'FFFF00',
  green: '00FF00',
  cyan: '00FFFF',
  magenta: 'FF00FF',
  blue: '0000FF',
  red: 'FF0000',
  darkBlue: '000080',
  darkCyan: '008080',
  darkGreen: '008000',
  darkMagenta: '800080',
  darkRed: '800000',
  darkYellow: '808000',
  darkGray: '808080',
  lightGray: 'C0C0C0',
  black: '000000',
  white: 'FFFFFF',
};

/** @param properties a `w:rPr` */
export function withText(on: TextStyle, properties: Element | undefined, fonts: ThemeFonts): TextStyle {
  if (!properties) return on;
  const text = { ...on };
  for (const property of childElementsOf(properties)) applyText(text, property, fonts);
  return text;
}

function applyText(text: TextStyle, property: Element, fonts: ThemeFonts): void {
  const value = val(property);
  switch (property.name) {
    case 'w:rFonts':
      text.family = familyOf(property, fonts) ?? text.family;
      break;
    case 'w:sz':
      text.size = Math.max(1, halfPoints(value) ?? text.size);
      break;
    case 'w:b':
      text.isBold = isOn(value);
      break;
    case 'w:i':
      text.isItalic = isOn(value);
      break;
    case 'w:u':
      text.isUnderlined = isOn(value);
      break;
    case 'w:strike':
    case 'w:dstrike':
      text.isStruck = isOn(value);
      break;
    case 'w:caps':
      text.isCaps = isOn(value);
      break;
    case 'w:smallCaps':
      text.isSmallCaps = isOn(value);
      break;
    case 'w:vanish':
      text.isHidden = isOn(value);
      break;
    case 'w:rtl':
      text.isRightToLeft = isOn(value);
      break;
    case 'w:color':
      text.color = color(value);
      break;
    case 'w:highlight':
      text.background = lookUp(HIGHLIGHTS, value);
      break;
    case 'w:shd':
      text.background = backgroundOf(property);
      break;
    case 'w:vertAlign':
      text.place = lookUp(SUPERSCRIPTS, value) ?? 'baseline';
      break;
    case 'w:position':
      text.raised = halfPoints(value) ?? 0;
      break;
    case 'w:spacing':
      text.spacing = twips(value) ?? 0;
      break;
  }
}

function familyOf(property: Element, { major, minor }: ThemeFonts): string | undefined {
  const theme = val(property, 'w:asciiTheme') ?? val(property, 'w:hAnsiTheme');
  const ofTheme = theme?.startsWith('major') ? major : theme?.startsWith('minor') ? minor : undefined;
  return ofTheme ?? val(property, 'w:ascii') ?? val(property, 'w:hAnsi') ?? val(property, 'w:cs');
}

/** A shading of two colors has the color in front. */
export function backgroundOf(shading: Element | undefined): string | undefined {
  const pattern = val(shading) ?? 'clear';
  if (pattern === 'solid') return color(val(shading, 'w:color')) ?? '000000';
  return color(val(shading, 'w:fill'));
}

/** @param properties a `w:pPr` */
export function withParagraph(on: ParagraphStyle, properties: Element | undefined): ParagraphStyle {
  if (!properties) return on;
  const paragraph = { ...on };
  // Sides are those of the page only once it is known which way the text runs.
  const direction = childOf(properties, 'w:bidi');
  if (direction) paragraph.isRightToLeft = isOn(val(direction));
  for (const property of childElementsOf(properties)) applyParagraph(paragraph, property);
  return paragraph;
}

function applyParagraph(paragraph: ParagraphStyle, property: Element): void {
  const value = val(property);
  switch (property.name) {
    case 'w:jc':
      paragraph.alignment = alignmentOf(value, paragraph.isRightToLeft);
      break;
    case 'w:ind':
      applyIndent(paragraph, property);
      break;
    case 'w:spacing':
      applySpacing(paragraph, property);
      break;
    case 'w:keepNext':
      paragraph.isKeptWithNext = isOn(value);
      break;
    case 'w:keepLines':
      paragraph.isKeptTogether = isOn(value);
      break;
    case 'w:pageBreakBefore':
      paragraph.startsPage = isOn(value);
      break;
    case 'w:contextualSpacing':
      paragraph.hasNoSpaceBetween = isOn(value);
      break;
    case 'w:bidi':
      if (!isOn(value)) break;
      if (paragraph.alignment === 'left') paragraph.alignment = 'right';
      break;
    case 'w:shd':
      paragraph.background = backgroundOf(property);
      break;
    case 'w:pBdr':
      paragraph.borders = { ...paragraph.borders, ...bordersOf(property) };
      break;
    case 'w:tabs':
      paragraph.tabs = tabsOf(paragraph.tabs, property);
      break;
  }
}

const START = new Set(['left', 'start']);
const END = new Set(['right', 'end']);

/** A text that runs from right to left begins at `left`. */
export function alignmentOf(value: string | undefined, isRightToLeft = false): Alignment {
  if (value === 'center') return 'center';
  if (value === 'both' || value === 'distribute' || /Kashida$/.test(value ?? '')) return 'both';
  if (END.has(value ?? '')) return isRightToLeft ? 'left' : 'right';
  return START.has(value ?? '') && isRightToLeft ? 'right' : 'left';
}

function applyIndent(paragraph: ParagraphStyle, property: Element): void {
  const start = twips(val(property, 'w:start') ?? val(property, 'w:left'));
  const end = twips(val(property, 'w:end') ?? val(property, 'w:right'));
  const [left, right] = paragraph.isRightToLeft ? [end, start] : [start, end];
  paragraph.indentLeft = left ?? paragraph.indentLeft;
  paragraph.indentRight = right ?? paragraph.indentRight;
  const hanging = twips(val(property, 'w:hanging'));
  const first = twips(val(property, 'w:firstLine'));
  if (hanging !== undefined) paragraph.indentFirst = -hanging;
  else if (first !== undefined) paragraph.indentFirst = first;
}

/** Word puts this in place of spacing that is said to be automatic. */
const AUTOMATIC = 14;
const LINE_UNITS = 12;

function applySpacing(paragraph: ParagraphStyle, property: Element): void {
  const isAutomatic = (name: string) => {
    const value = val(property, name);
    return value !== undefined && isOn(value);
  };
  paragraph.before = twips(val(property, 'w:before')) ?? paragraph.before;
  paragraph.after = twips(val(property, 'w:after')) ?? paragraph.after;
  if (isAutomatic('w:beforeAutospacing')) paragraph.before = AUTOMATIC;
  if (isAutomatic('w:afterAutospacing')) paragraph.after = AUTOMATIC;
  const line = twips(val(property, 'w:line'));
  if (line === undefined || line <= 0) return;
  const rule = val(property, 'w:lineRule') ?? 'auto';
  // `auto` counts in 240ths of a line.
  paragraph.line =
    rule === 'exact' || rule === 'atLeast'
      ? { rule, value: line }
      : { rule: 'auto', value: line / LINE_UNITS };
}

const LEADERS: Record<string, string> = {
  dot: '.',
  hyphen: '-',
  underscore: '_',
  heavy: '_',
  middleDot: '·',
};
const TABS: Record<string, TabStop['kind']> = {
  left: 'left',
  start: 'left',
  num: 'left',
  right: 'right',
  end: 'right',
  center: 'center',
  decimal: 'decimal',
  clear: 'clear',
};

function tabsOf(on: readonly TabStop[], property: Element): TabStop[] {
  const tabs = [...on];
  for (const tab of childrenNamed(property, 'w:tab')) {
    const at = twips(val(tab, 'w:pos'));
    const kind = lookUp(TABS, val(tab));
    if (at === undefined || !kind) continue;
    const same = tabs.findIndex((item) => Math.abs(item.at - at) < 1);
    if (same !== -1) tabs.splice(same, 1);
    if (kind !== 'clear') tabs.push({ at, kind, leader: lookUp(LEADERS, val(tab, 'w:leader')) ?? '' });
  }
  return tabs.sort((a, b) => a.at - b.at);
}

const BORDERS: Record<string, keyof Borders> = {
  'w:top': 'top',
  'w:left': 'left',
  'w:start': 'left',
  'w:bottom': 'bottom',
  'w:right': 'right',
  'w:end': 'right',
  'w:insideH': 'insideH',
  'w:insideV': 'insideV',
};

export function bordersOf(properties: Element | undefined): Borders {
  const borders: Borders = {};
  for (const border of properties ? childElementsOf(properties) : []) {
    const side = BORDERS[border.name];
    if (side) borders[side] = borderOf(border);
  }
  return borders;
}

const THINNEST = 0.25;
const WIDEST = 12;

function borderOf(border: Element): Border | null {
  const style = val(border) ?? 'none';
  if (style === 'none' || style === 'nil') return null;
  const width = Math.min(WIDEST, Math.max(THINNEST, eighths(val(border, 'w:sz')) ?? 0.5));
  return {
    width,
    color: color(val(border, 'w:color')) ?? '000000',
    isDouble: /^double|^triple/.test(style),
    isDashed: /^dash|^dot/.test(style),
  };
}

/** Reads the number of a list that these properties name, and its level from 0. `0` takes a paragraph out of a list. */
export function listPropertiesOf(
  properties: Element | undefined,
): { list?: string | undefined; level?: number | undefined } | undefined {
  const numbering = childOf(properties, 'w:numPr');
  if (!numbering) return undefined;
  return {
    list: val(childOf(numbering, 'w:numId')),
    level: whole(val(childOf(numbering, 'w:ilvl'))),
  };
}

// Reads the content of a paragraph: text with its style, breaks, fields, links, notes and drawings. Changes that were
// tracked are shown as changes, deleted text struck through: what is signed must not depend on a reader's settings.
import { shortName } from '../common/text.ts';
import { DOCUMENT_LIMITS } from '../pdf/limits.ts';
import { isOn, whole } from './attributes.ts';
import { inSymbols, isSymbolFont, symbolIn } from './characters.ts';
import {
  isOfPages,
  isSafeAddress,
  lacksResult,
  missingWithout,
  nameOfField,
  numberFormatOf,
  shownByCode,
} from './field-codes.ts';
import type { Inline, LinkAddress, TextStyle, TrackedChanges } from './model.ts';
import { limitExceeded } from './not-usable.ts';
import type { ComplexField, ParagraphContent, ReadContext } from './read-context.ts';
import { readDrawing, readVml } from './read-drawings.ts';
import { readFormula } from './read-formulas.ts';
import { withText, withTextOf } from './styles.ts';
import {
  below,
  childElementsOf,
  childOf,
  childrenNamed,
  chosenOf,
  type Element,
  elementText,
  isElement,
  val,
} from './xml.ts';

/** `text` is the style of the paragraph's text. */
export type InlineContext = {
  context: ReadContext;
  text: TextStyle;
  link?: LinkAddress | undefined;
  change?: 'inserted' | 'deleted' | undefined;
};

export function readInlines(parent: Element, place: InlineContext, content: ParagraphContent): void {
  for (const child of parent.children) if (isElement(child)) readInline(child, place, content);
}

const CHANGED = {
  'w:ins': 'inserted',
  'w:moveTo': 'inserted',
  'w:del': 'deleted',
  'w:moveFrom': 'deleted',
} as const;

function readInline(element: Element, place: InlineContext, content: ParagraphContent): void {
  switch (element.name) {
    case 'w:r':
      readRun(element, place, content);
      break;
    case 'w:hyperlink':
      readInlines(element, { ...place, link: linkOf(element, place.context) ?? place.link }, content);
      break;
    case 'w:fldSimple':
      readSimpleField(element, place, content);
      break;
    case 'w:ins':
    case 'w:moveTo':
    case 'w:del':
    case 'w:moveFrom':
      readChange(element, CHANGED[element.name], place, content);
      break;
    case 'mc:AlternateContent': {
      const chosen = chosenOf(element);
      if (chosen) readInlines(chosen, place, content);
      break;
    }
    case 'm:oMathPara':
      addFormulasInLines(element, place, content);
      break;
    case 'w:ruby':
      readRuby(element, place, content);
      break;
    // A paragraph in a paragraph is no WordprocessingML, and text all the same.
    case 'w:p':
    case 'w:tbl':
      content.after.push(
        ...place.context.readBlocks({ name: '', attributes: {}, children: [element] }, place.context),
      );
      break;
    case 'w:pPr':
    case 'w:sdtPr':
    case 'w:rubyPr':
      break;
    default:
      if (element.name.startsWith('m:')) addFormula(element, place, content);
      else readInlines(element, place, content);
  }
}

/** A change without content changes nothing. */
function readChange(
  element: Element,
  change: keyof TrackedChanges,
  place: InlineContext,
  content: ParagraphContent,
): void {
  if (childElementsOf(element).length > 0) place.context.tally.changes[change] += 1;
  readInlines(element, { ...place, change }, content);
}

/** The reading of signs stands above them in Word, and in brackets behind them here. */
function readRuby(element: Element, place: InlineContext, content: ParagraphContent): void {
  for (const base of childrenNamed(element, 'w:rubyBase')) readInlines(base, place, content);
  const reading: ParagraphContent = { ...content, inlines: [] };
  for (const above of childrenNamed(element, 'w:rt')) readInlines(above, place, reading);
  if (textBefore(reading).trim() === '') return;
  addText('(', place.text, place, content);
  content.inlines.push(...reading.inlines);
  addText(')', place.text, place, content);
}

// --- Formulas. ---

/** Formulas with lines of their own are separated by line breaks. */
function addFormulasInLines(element: Element, place: InlineContext, content: ParagraphContent): void {
  for (const child of childElementsOf(element)) {
    if (child.name === 'm:oMathParaPr') continue;
    if (content.inlines.length > 0) content.inlines.push({ kind: 'line-break', style: place.text });
    readInline(child, place, content);
  }
}

function addFormula(element: Element, place: InlineContext, content: ParagraphContent): void {
  const { context, text, change, link } = place;
  const before = textBefore(content);
  const themeFonts = context.styles.themeFonts;
  const formula = readFormula(element, { text, themeFonts, change }, before);
  context.tally.formulas.count += 1;
  if (!formula) {
    context.tally.formulas.unknown ??= `${before}${wordsBelow(element)}`;
    return;
  }
  for (const itemChange of new Set(formula.texts.map((text) => text.change)))
    if (itemChange && itemChange !== change) context.tally.changes[itemChange] += 1;
  if (beginsTight(formula.texts[0]?.text)) keepApart(false, place, content);
  for (const { text: words, style, change: itemChange } of formula.texts)
    content.inlines.push({ kind: 'text', text: words, style: changed(style, itemChange), link });
  const last = content.inlines.at(-1);
  if (formula.isOpenEnded && last?.kind === 'text') last.isOpenEnded = true;
}

const CHARACTERS_BEFORE = 200;

/** The end of the text so far is enough to find the place. */
function textBefore({ inlines }: ParagraphContent): string {
  let text = '';
  for (let at = inlines.length - 1; at >= 0 && text.length < CHARACTERS_BEFORE; at -= 1) {
    const inline = inlines[at]!;
    if (inline.kind !== 'text') break;
    text = inline.text + text;
  }
  return text.slice(-CHARACTERS_BEFORE);
}

const wordsBelow = (element: Element): string =>
  [...below(element)].map((child) => (child.name === 'm:t' ? elementText(child) : '')).join('');

const beginsTight = (text: string | undefined): boolean => /^[\p{L}\p{N}(/^_]/u.test(text ?? '');

/** `1/2` and `x` beside each other are not `1/2x`, and 100 that became 200 is not 100200. */
function keepApart(
  isDigits: boolean,
  { text: style, change }: InlineContext,
  { inlines, change: before }: ParagraphContent,
): void {
  const last = inlines.at(-1);
  if (last?.kind !== 'text') return;
  const isReplaced = change && before && change !== before && /[\p{L}\p{N}]$/u.test(last.text);
  // Of 100, of which a digit was deleted, neither 100 nor 10 is left to be read.
  const isCut = (change === 'deleted') !== (before === 'deleted') && /\p{N}[.,]?$/u.test(last.text);
  if (isReplaced || (isCut && isDigits) || last.isOpenEnded) inlines.push({ kind: 'text', text: ' ', style });
}

function linkOf(element: Element, { parts, part }: ReadContext): LinkAddress | undefined {
  const id = val(element, 'r:id');
  const named = id === undefined ? undefined : parts.relationships(part).get(id);
  return named?.isExternal && isSafeAddress(named.target) ? named.target : undefined;
}

function readRun(run: Element, place: InlineContext, content: ParagraphContent): void {
  const { context } = place;
  const properties = childOf(run, 'w:rPr');
  const fonts = context.styles.themeFonts;
  const named = context.styles.find(val(childOf(properties, 'w:rStyle')));
  const style = changed(withText(withTextOf(place.text, named, fonts), properties, fonts), place.change);
  for (const child of run.children) if (isElement(child)) readRunChild(child, style, place, content);
}

const INSERTED = '0B6E0B';
const DELETED = 'B00020';

function changed(style: TextStyle, change: InlineContext['change']): TextStyle {
  if (change === 'inserted') return { ...style, isUnderlined: true, color: INSERTED };
  if (change === 'deleted') return { ...style, isStruck: true, color: DELETED };
  return style;
}

function readRunChild(
  child: Element,
  style: TextStyle,
  place: InlineContext,
  content: ParagraphContent,
): void {
  const { context } = place;
  if (child.name === 'w:instrText' || child.name === 'w:delInstrText') {
    const field = context.fields.at(-1);
    if (field && !field.isResult) field.code += elementText(child);
    return;
  }
  if (child.name === 'w:fldChar') {
    readFieldMark(child, style, place, content);
    return;
  }
  if (isInCode(context.fields) || style.isHidden) return;
  switch (child.name) {
    case 'w:t':
    case 'w:delText':
      addText(elementText(child), style, place, content);
      break;
    case 'w:tab':
    case 'w:ptab':
      content.inlines.push({ kind: 'tab', style });
      break;
    case 'w:cr':
      content.inlines.push({ kind: 'line-break', style });
      break;
    case 'w:br':
      content.inlines.push(breakOf(child, style));
      break;
    case 'w:noBreakHyphen':
      addText('\u2011', style, place, content);
      break;
    case 'w:softHyphen':
      addText('\u00ad', style, place, content);
      break;
    case 'w:sym':
      addText(symbolIn(child), style, place, content);
      break;
    case 'w:dayShort':
    case 'w:dayLong':
    case 'w:monthShort':
    case 'w:monthLong':
    case 'w:yearShort':
    case 'w:yearLong':
      context.tally.formulas.field ??= { limit: 'number_field', near: textBefore(content) };
      break;
    case 'w:pgNum':
      addPageNumber({ of: 'page', format: undefined }, style, place, content);
      break;
    case 'w:footnoteReference':
    case 'w:endnoteReference':
      addNote(child, style, place, content);
      break;
    case 'w:footnoteRef':
    case 'w:endnoteRef':
      addText(context.ownMark ?? '', style, place, content);
      break;
    case 'w:drawing':
      readDrawing(child, context, content);
      break;
    case 'w:pict':
    case 'w:object':
      readVml(child, context, content);
      break;
    case 'mc:AlternateContent':
      for (const alternative of chosenOf(child)?.children ?? [])
        if (isElement(alternative)) readRunChild(alternative, style, place, content);
      break;
    case 'w:rPr':
      break;
    default:
      readInline(child, place, content);
  }
}

// Word takes letters of other scripts from other fonts.
const ASKS_FOR_FONT = /[\p{Script=Latin}0-9]/u;

function addText(text: string, style: TextStyle, place: InlineContext, content: ParagraphContent): void {
  if (text === '') return;
  // Line ends and tabs of the file itself are spaces (ECMA-376, part 1, 17.3.3.31).
  const shown = inSymbols(style.family, text.replace(/[\t\r\n]/g, ' '));
  if (ASKS_FOR_FONT.test(shown) && !isSymbolFont(style.family))
    place.context.tally.families.add(style.family);
  const link = place.link ?? linkOfFields(place.context.fields);
  const isDigits = /^[.,]?\p{N}/u.test(shown);
  if (isDigits || beginsTight(shown)) keepApart(isDigits, place, content);
  content.change = place.change;
  content.inlines.push({ kind: 'text', text: style.isCaps ? shown.toUpperCase() : shown, style, link });
}

function breakOf(element: Element, style: TextStyle): Inline {
  const type = val(element, 'w:type');
  if (type === 'page') return { kind: 'page-break' };
  return type === 'column' ? { kind: 'column-break' } : { kind: 'line-break', style };
}

function addNote(
  element: Element,
  style: TextStyle,
  { context }: InlineContext,
  content: ParagraphContent,
): void {
  const kind = element.name === 'w:footnoteReference' ? 'footnote' : 'endnote';
  const note = context.refer(kind, val(element, 'w:id') ?? '');
  const isMarked = val(element, 'w:customMarkFollows') !== undefined;
  content.inlines.push({ kind: 'note', note, isMarked, style: { ...style, place: 'superscript' } });
}

// --- Fields (ECMA-376, part 1, 17.16): a code, and the result that Word has stored of it. ---

function readFieldMark(
  mark: Element,
  style: TextStyle,
  place: InlineContext,
  content: ParagraphContent,
): void {
  const { fields, endlessFields } = place.context;
  const type = val(mark, 'w:fldCharType');
  const field = fields.at(-1);
  if (type === 'begin') {
    if (!endlessFields.has(mark)) addField(newField(mark, childOf(mark, 'w:ffData')), place);
  } else if (!field || field.isSimple) return;
  else if (type === 'separate') {
    field.isResult = true;
    field.result = { content, from: content.inlines.length };
    field.isReplaced = replace(field, style, place, content);
  } else if (type === 'end') {
    const isReplaced = field.isReplaced || (!field.isResult && replace(field, style, place, content));
    fields.pop();
    if (!isReplaced) endField(field, style, place, content);
  }
}

function newField({ attributes }: Element, form?: Element): ComplexField {
  const dirty = attributes['w:dirty'];
  const isOutdated = dirty !== undefined && isOn(dirty);
  return { code: '', isResult: false, isReplaced: false, isOutdated, form };
}

function addField(field: ComplexField, { context: { fields } }: InlineContext): void {
  if (fields.length === DOCUMENT_LIMITS.docxFieldDepth) throw limitExceeded('nesting');
  fields.push(field);
}

/** Text inside of these fields may be a part of a code, or of a result that something else replaces. */
const isInCode = (fields: readonly ComplexField[]): boolean =>
  fields.some((field) => !field.isResult || field.isReplaced);

/** Shows what the code of a field without a result says, or notes what is missing. */
function endField(
  field: ComplexField,
  style: TextStyle,
  place: InlineContext,
  content: ParagraphContent,
): void {
  const { code, result } = field;
  const { fields, inHeaderFooter } = place.context;
  const { formulas, outdated } = place.context.tally;
  const near = () => `${textBefore(content)}${code}`;
  if (isInCode(fields)) {
    // Each page has another result, and only one of them is stored.
    if (inHeaderFooter && isOfPages(code)) formulas.field ??= { limit: 'number_field', near: near() };
    return;
  }
  if (style.isHidden) return;
  const isOutdated = field.isOutdated || outdated.isAll;
  // A result that ends in another paragraph has at least the end of a paragraph.
  const hasResult =
    result !== undefined && (result.content !== content || result.from !== content.inlines.length);
  if ((isOutdated || !hasResult) && lacksResult(code, result !== undefined && !isOutdated))
    outdated.codes.add(shortName(code));
  if (hasResult) return;
  const shown = shownByCode(code);
  const missing = missingWithout(code);
  if (shown !== undefined) addText(shown, style, place, content);
  else if (missing?.isComputed) formulas.computedField ??= { limit: missing.limit, near: near() };
  else if (missing) formulas.field ??= { limit: missing.limit, near: near() };
}

function readSimpleField(element: Element, place: InlineContext, content: ParagraphContent): void {
  const { fields, styles } = place.context;
  const style = withText(place.text, childOf(childOf(element, 'w:r'), 'w:rPr'), styles.themeFonts);
  const field: ComplexField = {
    ...newField(element),
    code: val(element, 'w:instr') ?? '',
    isResult: true,
    isSimple: true,
  };
  if (element.children.some(isElement)) field.result = { content, from: content.inlines.length };
  addField(field, place);
  const isReplaced = replace(field, style, place, content);
  if (!isReplaced) readInlines(element, place, content);
  fields.splice(fields.indexOf(field));
  if (!isReplaced) endField(field, style, place, content);
}

const PAGES: Record<string, 'page' | 'pages' | 'section-pages'> = {
  PAGE: 'page',
  NUMPAGES: 'pages',
  SECTIONPAGES: 'section-pages',
};

/** Shows what the result of the last field is here, where that is known better than by what was stored. */
function replace(
  field: ComplexField,
  style: TextStyle,
  place: InlineContext,
  content: ParagraphContent,
): boolean {
  const { context } = place;
  if (isInCode(context.fields.slice(0, -1))) return false;
  const pages = PAGES[nameOfField(field.code)];
  if (pages && context.inHeaderFooter) {
    addPageNumber({ of: pages, format: numberFormatOf(field.code) }, style, place, content);
    return true;
  }
  const shown = field.form && shownByForm(field.form);
  if (shown === undefined) return false;
  addText(shown, style, place, content);
  return true;
}

/** A form field shows a box that is ticked or not, and the chosen line of a list; the text of a text field is its result. */
function shownByForm(form: Element): string | undefined {
  const box = childOf(form, 'w:checkBox');
  if (box) {
    const state = childOf(box, 'w:checked') ?? childOf(box, 'w:default');
    return state && !/^(0|false|off)$/.test(val(state) ?? '') ? '☒' : '☐';
  }
  const list = childOf(form, 'w:ddList');
  const chosen = whole(val(childOf(list, 'w:result') ?? childOf(list, 'w:default'))) ?? 0;
  return list && (val(childrenNamed(list, 'w:listEntry')[chosen]) ?? '');
}

function addPageNumber(
  number: Pick<Extract<Inline, { kind: 'page-number' }>, 'of' | 'format'>,
  style: TextStyle,
  { context }: InlineContext,
  content: ParagraphContent,
): void {
  if (context.inHeaderFooter) content.inlines.push({ kind: 'page-number', ...number, style });
}

function linkOfFields(fields: readonly ComplexField[]): LinkAddress | undefined {
  for (const { code } of fields) {
    const target = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s\\]+))/i.exec(code);
    const address = target?.[1] ?? target?.[2];
    if (address !== undefined && isSafeAddress(address)) return address;
  }
  return undefined;
}

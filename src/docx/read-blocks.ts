// Reads paragraphs and tables, wherever they stand: in the body, a cell, a text box, a header or a note. Unknown
// elements are searched as well, so that no text is lost because of the element around it.
import { DOCUMENT_LIMITS } from '../pdf/limits.ts';
import { isOn } from './attributes.ts';
import { inSymbols } from './characters.ts';
import type { Block, Inline, ListLabel, Paragraph, ParagraphStyle, TextStyle } from './model.ts';
import { limitExceeded } from './not-usable.ts';
import type { ParagraphContent, ReadContext } from './read-context.ts';
import { readInlines } from './read-inlines.ts';
import { readTable } from './read-tables.ts';
import {
  alignmentOf,
  listPropertiesOf,
  type NamedStyle,
  withParagraph,
  withText,
  withTextOf,
} from './styles.ts';
import { childOf, chosenOf, type Element, isElement, val } from './xml.ts';

export function readBlocks(parent: Element, context: ReadContext): Block[] {
  const blocks: Block[] = [];
  for (const child of parent.children) {
    if (!isElement(child)) continue;
    switch (child.name) {
      case 'w:p':
        blocks.push(...readParagraph(child, context));
        break;
      case 'w:tbl':
        context.tally.tables += 1;
        if (context.tally.tables > DOCUMENT_LIMITS.docxTables) throw limitExceeded('tables');
        if (context.tableDepth === DOCUMENT_LIMITS.docxTableDepth) throw limitExceeded('table_nesting');
        blocks.push(readTable(child, { ...context, tableDepth: context.tableDepth + 1 }));
        break;
      case 'w:altChunk':
      case 'w:subDoc':
        throw limitExceeded('inserted_files');
      case 'mc:AlternateContent': {
        const chosen = chosenOf(child);
        if (chosen) blocks.push(...readBlocks(chosen, context));
        break;
      }
      case 'w:sectPr':
      case 'w:pPr':
      case 'w:tcPr':
        break;
      // Runs without a paragraph around them are no WordprocessingML, and text all the same. Formulas may stand there.
      case 'w:r':
      case 'm:oMath':
      case 'm:oMathPara':
        blocks.push(...readParagraph({ name: 'w:p', attributes: {}, children: [child] }, context));
        break;
      default:
        blocks.push(...readBlocks(child, context));
    }
  }
  return blocks;
}

/** A paragraph follows what floats beside it, and precedes its text boxes. */
function readParagraph(element: Element, context: ReadContext): Block[] {
  const properties = childOf(element, 'w:pPr');
  const { styles } = context;
  const named = styles.find(val(childOf(properties, 'w:pStyle'))) ?? styles.defaultParagraph;
  const text = textOfParagraph(named, context);
  const mark = withText(text, childOf(properties, 'w:rPr'), styles.themeFonts);
  const list = isCounted(element, properties, mark) ? listOfParagraph(properties, named) : undefined;
  const level = list && context.numbering.next(list.id, list.level);
  const style = paragraphStyle(
    properties,
    named,
    context,
    list && !list.isOfStyle ? level?.paragraph : undefined,
  );
  const content: ParagraphContent = { inlines: [], before: [], after: [] };
  readInlines(element, { context, text }, content);
  const length = content.inlines.reduce(
    (sum, inline) => sum + (inline.kind === 'text' ? inline.text.length : 1),
    0,
  );
  if (length > DOCUMENT_LIMITS.docxParagraph) throw limitExceeded('paragraph');
  const label = level && labelOf(level, withText(mark, level.text, styles.themeFonts));
  const paragraph: Paragraph = { kind: 'paragraph', inlines: content.inlines, style, mark, label };
  // A paragraph that holds nothing but what was taken out of it would be an empty line.
  const isEmptied = isBlank(content.inlines) && !label && content.before.length + content.after.length > 0;
  const isBroken = isRemoved(properties) && isBlank(content.inlines);
  return [...content.before, ...(isEmptied || isBroken ? [] : [paragraph]), ...content.after];
}

/**
 * Word counts an empty paragraph of a list as well, unless nothing of it is shown: one that only holds the break of a section, or whose end
 * was deleted or is hidden.
 */
function isCounted(element: Element, properties: Element | undefined, mark: TextStyle): boolean {
  const isUnseen = childOf(properties, 'w:sectPr') !== undefined || isRemoved(properties) || mark.isHidden;
  return !isUnseen || hasContent(element);
}

const WITHOUT_CONTENT = new Set([
  'w:pPr',
  'w:rPr',
  'w:del',
  'w:moveFrom',
  'w:lastRenderedPageBreak',
  'w:proofErr',
]);
const MARKERS = /^w:(bookmark|comment|perm|moveFromRange|moveToRange)/;

function hasContent(element: Element): boolean {
  return element.children.some((child) => {
    if (!isElement(child) || WITHOUT_CONTENT.has(child.name) || MARKERS.test(child.name)) return false;
    const isHidden = child.name === 'w:r' && isSet(childOf(childOf(child, 'w:rPr'), 'w:vanish'));
    if (isHidden) return false;
    if (child.children.some(isElement)) return hasContent(child);
    return child.name === 'w:t' ? child.children.length > 0 : child.name !== 'w:r';
  });
}

const isSet = (property: Element | undefined): boolean => property !== undefined && isOn(val(property));

const isBlank = (inlines: readonly Inline[]): boolean => inlines.length === 0;

/** A paragraph may lose its end while changes are tracked. */
const isRemoved = (properties: Element | undefined): boolean =>
  childOf(childOf(properties, 'w:rPr'), 'w:del') !== undefined;

function textOfParagraph(named: NamedStyle | undefined, { styles, inTable }: ReadContext): TextStyle {
  const fonts = styles.themeFonts;
  const inside = (inTable ?? []).reduce(
    (on, item) => withText(on, childOf(item, 'w:rPr'), fonts),
    styles.textDefaults,
  );
  return withTextOf(inside, named, fonts);
}

function paragraphStyle(
  properties: Element | undefined,
  named: NamedStyle | undefined,
  { styles, inTable, numbering }: ReadContext,
  ofLevel: Element | undefined,
): ParagraphStyle {
  const inside = (inTable ?? []).reduce(
    (on, item) => withParagraph(on, childOf(item, 'w:pPr')),
    styles.paragraphDefaults,
  );
  const styled = (named?.chain ?? []).reduce((on, item) => {
    const ofStyle = childOf(item, 'w:pPr');
    const list = listPropertiesOf(ofStyle);
    // What the list says is overruled by the style that names the list.
    const level = list?.list === undefined ? undefined : numbering.peek(list.list, list.level ?? 0);
    return withParagraph(withParagraph(on, childOf(level, 'w:pPr')), ofStyle);
  }, inside);
  return { ...withParagraph(withParagraph(styled, ofLevel), properties), styleId: named?.id };
}

/** A paragraph is in a list by its own properties, or by its style. */
function listOfParagraph(properties: Element | undefined, named: NamedStyle | undefined) {
  const direct = listPropertiesOf(properties);
  const chain = (named?.chain ?? []).map((item) => listPropertiesOf(childOf(item, 'w:pPr')));
  const id = direct?.list ?? chain.findLast((item) => item?.list !== undefined)?.list;
  if (id === undefined || id === '0') return undefined;
  const level = direct?.level ?? chain.findLast((item) => item?.level !== undefined)?.level ?? 0;
  return { id, level, isOfStyle: direct?.list === undefined };
}

type Counted = NonNullable<ReturnType<ReadContext['numbering']['next']>>;

function labelOf({ label, follow, align }: Counted, style: TextStyle): ListLabel | undefined {
  const text = inSymbols(style.family, label);
  if (text === '' || style.isHidden) return undefined;
  return { text, style: { ...style, isUnderlined: false }, follow, alignment: alignmentOf(align) };
}

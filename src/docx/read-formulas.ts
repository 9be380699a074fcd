// Reads a formula (ECMA-376, part 1, 22.1) as text on one line that has one meaning: `1/2`, `10³`, `∑_(i=1)^n x`. An unknown structure is
// refused: a fraction without its bar would be another number.
import { isOn } from './attributes.ts';
import { inSubscript, inSuperscript, symbolIn } from './characters.ts';
import type { TextStyle } from './model.ts';
import type { Styles } from './styles.ts';
import { withText } from './styles.ts';
import { childOf, childrenNamed, chosenOf, type Element, elementText, isElement, val } from './xml.ts';

export type FormulaContext = {
  text: TextStyle;
  themeFonts: Styles['themeFonts'];
  change?: 'inserted' | 'deleted' | undefined;
};
export type FormulaText = { text: string; style: TextStyle; change: FormulaContext['change'] };
export type Formula = {
  texts: FormulaText[];
  /** A letter or a digit directly after it would be read as a part of it: `1/2` and `x^n`. */
  isOpenEnded: boolean;
};

/** A part of a formula comes with what has to be known of it to put another one beside it. */
type Item = {
  texts: FormulaText[];
  kind: 'plain' | 'fraction' | 'numeric-fraction' | 'word';
  script?: 'superscript' | 'subscript' | 'linear' | undefined;
  isOpenEnded?: boolean | undefined;
};

class NotLinear extends Error {}

/** @param before the text in front of it. Undefined where it cannot be said on one line, or is not known */
export function readFormula(element: Element, place: FormulaContext, before: string): Formula | undefined {
  try {
    const items = element.name === 'm:oMath' ? itemsIn(element, place) : itemsOf(element, place);
    return { texts: joinItems(items, place, before), isOpenEnded: items.at(-1)?.isOpenEnded ?? false };
  } catch (error) {
    if (error instanceof NotLinear) return undefined;
    throw error;
  }
}

const SAYS_NOTHING =
  /^(m:\w+Pr|m:argPr|w:(proofErr|bookmark(Start|End)|perm(Start|End)|commentRange(Start|End)|move(From|To)Range(Start|End)|lastRenderedPageBreak|sdtPr|sdtEndPr|rPr))$/;
const CHANGES: Record<string, FormulaContext['change']> = {
  'w:ins': 'inserted',
  'w:moveTo': 'inserted',
  'w:del': 'deleted',
  'w:moveFrom': 'deleted',
};

const itemsIn = (element: Element | undefined, place: FormulaContext): Item[] =>
  (element?.children ?? []).flatMap((child) => (isElement(child) ? itemsOf(child, place) : []));

function itemsOf(element: Element, outside: FormulaContext): Item[] {
  const { name } = element;
  if (SAYS_NOTHING.test(name)) return [];
  const change = CHANGES[name];
  if (change) return itemsIn(element, { ...outside, change });
  const place = withChangeOf(element, outside);
  const read = STRUCTURES[name];
  if (read) return read(element, place);
  throw new NotLinear();
}

/** A structure that was inserted or deleted as a whole says so in its own properties. */
function withChangeOf(element: Element, place: FormulaContext): FormulaContext {
  const properties = childOf(element, `${element.name}Pr`);
  const marks = childOf(childOf(properties, 'm:ctrlPr'), 'w:rPr') ?? childOf(properties, 'm:ctrlPr');
  const mark = childOf(marks, 'w:ins') ?? childOf(marks, 'w:del');
  return mark ? { ...place, change: CHANGES[mark.name] } : place;
}

const STRUCTURES: Record<string, (element: Element, place: FormulaContext) => Item[]> = {
  'm:oMath': itemsIn,
  'm:r': readRun,
  'w:r': readRun,
  'm:t': (element, place) => plain(elementText(element), place),
  'm:box': (element, place) => itemsIn(childOf(element, 'm:e'), place),
  'm:e': itemsIn,
  'w:sdt': (element, place) => itemsIn(childOf(element, 'w:sdtContent'), place),
  'w:smartTag': itemsIn,
  'w:customXml': itemsIn,
  'mc:AlternateContent': (element, place) => itemsIn(chosenOf(element), place),
  'm:f': readFraction,
  'm:sSup': (element, place) => scripted(element, place, 'm:sup'),
  'm:sSub': (element, place) => scripted(element, place, 'm:sub'),
  'm:sSubSup': (element, place) => scripted(element, place, 'm:sub', 'm:sup'),
  'm:limLow': (element, place) => scripted(element, place, 'm:lim'),
  'm:sPre': readScriptsInFront,
  'm:nary': readSum,
  'm:rad': readRoot,
  'm:d': readDelimiters,
  'm:func': readFunction,
  'm:acc': readAccent,
  'm:bar': readBar,
  'm:borderBox': readBorderBox,
  'm:phant': readPhantom,
  'm:eqArr': (element, place) => inRows(childrenNamed(element, 'm:e'), place),
  'm:m': readMatrix,
};

// --- Text. ---

const RUN_TEXT = new Set(['m:t', 'w:t', 'w:delText']);
const RUN_SPACE = new Set(['w:br', 'w:cr', 'w:tab']);

function readRun(run: Element, place: FormulaContext): Item[] {
  const properties = childOf(run, 'w:rPr');
  const math = childOf(run, 'm:rPr');
  const textStyle = withText(place.text, properties, place.themeFonts);
  if (textStyle.isHidden) return [];
  const mark = childOf(properties, 'w:ins') ?? childOf(properties, 'w:del');
  const here = { ...place, text: textStyle, change: mark ? CHANGES[mark.name] : place.change };
  let text = '';
  for (const child of run.children) {
    if (!isElement(child)) continue;
    if (RUN_TEXT.has(child.name)) text += elementText(child);
    else if (RUN_SPACE.has(child.name)) text += ' ';
    else if (child.name === 'w:sym') text += symbolIn(child);
    else if (!SAYS_NOTHING.test(child.name)) throw new NotLinear();
  }
  const style = val(childOf(math, 'm:sty'), 'm:val') ?? 'i';
  const isNormal = run.name === 'w:r' || (math !== undefined && isSet(math, 'm:nor'));
  return isNormal ? plain(text, here) : inMathStyle(text, here, style);
}

/** Letters of a formula are italic where it does not say otherwise, digits and signs are not. */
function inMathStyle(text: string, place: FormulaContext, style: string): Item[] {
  const isBold = place.text.isBold || style.startsWith('b');
  const texts = (text.match(/\p{L}+|\P{L}+/gu) ?? []).map((part): FormulaText => {
    const isItalic = /^\p{L}/u.test(part) && style.endsWith('i');
    return { text: part, style: { ...place.text, isBold, isItalic }, change: place.change };
  });
  return texts.length === 0 ? [] : [{ texts, kind: 'plain' }];
}

const formulaText = (text: string, { text: style, change }: FormulaContext): FormulaText => ({
  text,
  style,
  change,
});

const plain = (text: string, place: FormulaContext): Item[] =>
  text === '' ? [] : [{ texts: [formulaText(text, place)], kind: 'plain' }];

const wordsOf = (texts: readonly FormulaText[]): string => texts.map(({ text }) => text).join('');

/** A property may be there without a value, which sets it. */
function isSet(properties: Element | undefined, name: string): boolean {
  const property = childOf(properties, name);
  return property !== undefined && isOn(val(property, 'm:val'));
}

// --- Parts beside each other. ---

const ENDS_TIGHT = /[\p{L}\p{N})\]}]$/u;
const BEGINS_TIGHT = /^[\p{L}\p{N}([{√]/u;
/** Only these characters may stand directly before and after `a/b` so that it is still read as one number. */
const SAFE_BEFORE = /(^|[\s([{=+\-−±<>≤≥,;:|≈≠\u00a0])$/;
const SAFE_BEHIND = /^($|[\s)\]}=+\-−±<>≤≥,;:.|%‰€$£¥≈≠\u00a0])/;

function joinItems(items: readonly Item[], place: FormulaContext, before = ''): FormulaText[] {
  const joined: FormulaText[] = [];
  let last = before;
  const add = (texts: readonly FormulaText[]) => {
    joined.push(...texts);
    last = texts.findLast(({ text }) => text !== '')?.text ?? last;
  };
  const behindEach = wordsBehind(items);
  for (const [index, { texts, kind, isOpenEnded }] of items.entries()) {
    const behind = behindEach[index]!;
    const isFraction = kind === 'fraction' || kind === 'numeric-fraction';
    if (isFraction) {
      // `1 1/2` is how a number with a fraction is written, and `1 (1/2)` a product.
      const isMixed = kind === 'numeric-fraction' && /\p{Nd}$/u.test(last);
      const isClear = isMixed || (SAFE_BEFORE.test(last) && SAFE_BEHIND.test(behind));
      if (ENDS_TIGHT.test(last)) add([formulaText(' ', place)]);
      add(isClear ? texts : enclosed(texts, place));
      if (BEGINS_TIGHT.test(behind)) add([formulaText(' ', place)]);
      continue;
    }
    if (kind === 'word' && ENDS_TIGHT.test(last)) add([formulaText(' ', place)]);
    add(texts);
    if (isOpenEnded && BEGINS_TIGHT.test(behind)) add([formulaText(' ', place)]);
  }
  return joined;
}

/** Finds for each item the words of the next item that has words. */
function wordsBehind(items: readonly Item[]): string[] {
  const behind: string[] = [];
  let words = '';
  for (const { texts } of [...items].reverse()) {
    behind.push(words);
    words = wordsOf(texts) || words;
  }
  return behind.reverse();
}

const joinedIn = (element: Element | undefined, place: FormulaContext): FormulaText[] =>
  joinItems(itemsIn(element, place), place);

/** Adds brackets, unless there are some around all of it. */
function enclosed(texts: readonly FormulaText[], place: FormulaContext): FormulaText[] {
  return isEnclosed(wordsOf(texts))
    ? [...texts]
    : [formulaText('(', place), ...texts, formulaText(')', place)];
}

function isEnclosed(text: string): boolean {
  if (!text.startsWith('(')) return false;
  let depth = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth === 0) return index === [...text].length - 1;
  }
  return false;
}

// --- Structures. ---

const NUMBER = /^\p{Nd}+([.,]\p{Nd}+)*$/u;
const SCRIPTS = '[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ₀₁₂₃₄₅₆₇₈₉]*';
const SIMPLE_ABOVE = new RegExp(`^[-−]?(\\p{Nd}+([.,]\\p{Nd}+)*|\\p{L}+)${SCRIPTS}%?$`, 'u');
const SIMPLE_BELOW = new RegExp(`^(\\p{Nd}+([.,]\\p{Nd}+)*|\\p{L})${SCRIPTS}$`, 'u');

function readFraction(element: Element, place: FormulaContext): Item[] {
  const type = val(childOf(childOf(element, 'm:fPr'), 'm:type'), 'm:val') ?? 'bar';
  if (!['bar', 'skw', 'lin'].includes(type)) throw new NotLinear();
  const above = joinedIn(childOf(element, 'm:num'), place);
  const below = joinedIn(childOf(element, 'm:den'), place);
  const isNumeric = NUMBER.test(wordsOf(above)) && NUMBER.test(wordsOf(below));
  const texts = [
    ...(SIMPLE_ABOVE.test(wordsOf(above)) ? above : enclosed(above, place)),
    formulaText('/', place),
    ...(SIMPLE_BELOW.test(wordsOf(below)) ? below : enclosed(below, place)),
  ];
  return [{ texts, kind: isNumeric ? 'numeric-fraction' : 'fraction', isOpenEnded: true }];
}

type Script = 'm:sub' | 'm:sup' | 'm:lim';

function scripted(element: Element, place: FormulaContext, ...names: Script[]): Item[] {
  const items = itemsIn(childOf(element, 'm:e'), place);
  const base = joinItems(items, place);
  const scripts = names.map((name) => ({ name, texts: joinedIn(childOf(element, name), place) }));
  const written = writeScripts(scripts, place);
  const baseScript = items.find(({ script }) => script)?.script;
  const isOtherSide =
    baseScript !== undefined &&
    baseScript !== 'linear' &&
    names.length === 1 &&
    written.script !== baseScript;
  const isClear =
    items.every(({ kind }) => kind === 'plain') &&
    (baseScript === undefined || (isOtherSide && written.script !== 'linear')) &&
    !ENDS_IN_SCRIPT.test(wordsOf(base));
  const isAlone = isClear || isEnclosed(wordsOf(base));
  return [{ ...written, texts: [...(isAlone ? base : enclosed(base, place)), ...written.texts] }];
}

/** A script may be typed as characters. */
const ENDS_IN_SCRIPT = /[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾]$/;

/** Uses the raised and lowered characters of Unicode where there is one for each, so that they are read as they are seen. */
function writeScripts(
  scripts: readonly { name: Script; texts: readonly FormulaText[] }[],
  place: FormulaContext,
): Item & { script: NonNullable<Item['script']> } {
  const small = scripts.map(({ name, texts }) =>
    texts.map((run) => {
      const text = name === 'm:sup' ? inSuperscript(run.text) : inSubscript(run.text);
      return text === undefined ? undefined : { ...run, text, style: { ...run.style, isItalic: false } };
    }),
  );
  if (small.every((texts) => texts.every((run) => run !== undefined)))
    return {
      texts: small.flat() as FormulaText[],
      kind: 'plain',
      script: scripts.at(-1)?.name === 'm:sup' ? 'superscript' : 'subscript',
    };
  let isOpenEnded = false;
  const texts = scripts.flatMap(({ name, texts: runs }) => {
    isOpenEnded = /^(\p{Nd}+|\p{L})$/u.test(wordsOf(runs));
    const sign = formulaText(name === 'm:sup' ? '^' : '_', place);
    return [sign, ...(isOpenEnded ? runs : [formulaText('(', place), ...runs, formulaText(')', place)])];
  });
  return { texts, kind: 'plain', script: 'linear', isOpenEnded };
}

/** Scripts in front of a letter, as in `²³⁸₉₂U`, would else belong to what is before it. */
function readScriptsInFront(element: Element, place: FormulaContext): Item[] {
  const scripts = (['m:sup', 'm:sub'] as const).map((name) => ({
    name,
    texts: joinedIn(childOf(element, name), place),
  }));
  const written = writeScripts(scripts, place);
  if (written.script === 'linear') throw new NotLinear();
  const base = joinedIn(childOf(element, 'm:e'), place);
  return [{ texts: [...written.texts, ...base], kind: 'word' }];
}

/** Sums, products and integrals have their sign in an attribute. */
function readSum(element: Element, place: FormulaContext): Item[] {
  const properties = childOf(element, 'm:naryPr');
  const sign = val(childOf(properties, 'm:chr'), 'm:val') ?? '∫';
  const limits = (['m:sub', 'm:sup'] as const)
    .map((name) => ({ name, texts: joinedIn(childOf(element, name), place) }))
    .filter(({ name, texts }) => !isSet(properties, `${name}Hide`) && wordsOf(texts).trim() !== '');
  const written = limits.map((limit) => {
    const isShort = /^(\p{Nd}+|\p{L}|∞)$/u.test(wordsOf(limit.texts));
    const inside = isShort ? limit.texts : [formulaText('(', place), ...limit.texts, formulaText(')', place)];
    return [formulaText(limit.name === 'm:sup' ? '^' : '_', place), ...inside];
  });
  const body = joinedIn(childOf(element, 'm:e'), place);
  const texts = [formulaText(sign, upright(place)), ...written.flat(), formulaText(' ', place), ...body];
  return [{ texts, kind: 'word', isOpenEnded: true }];
}

const upright = (place: FormulaContext): FormulaContext => ({
  ...place,
  text: { ...place.text, isItalic: false },
});

function readRoot(element: Element, place: FormulaContext): Item[] {
  const isSquare = isSet(childOf(element, 'm:radPr'), 'm:degHide');
  const degree = isSquare ? '' : wordsOf(joinedIn(childOf(element, 'm:deg'), place)).trim();
  const raised = inSuperscript(degree);
  if (raised === undefined) throw new NotLinear();
  const body = joinedIn(childOf(element, 'm:e'), place);
  const texts = [formulaText(`${raised}√`, upright(place)), ...enclosed(body, place)];
  return [{ texts, kind: raised === '' ? 'plain' : 'word' }];
}

function readDelimiters(element: Element, place: FormulaContext): Item[] {
  const properties = childOf(element, 'm:dPr');
  const sign = (name: string, otherwise: string) => val(childOf(properties, name), 'm:val') ?? otherwise;
  const [begin, between, end] = [sign('m:begChr', '('), sign('m:sepChr', '|'), sign('m:endChr', ')')];
  const texts = childrenNamed(element, 'm:e').flatMap((item, index) => [
    ...(index > 0 ? plain(between, upright(place)).flatMap(({ texts }) => texts) : []),
    ...joinedIn(item, place),
  ]);
  const around = (item: string) => plain(item, upright(place)).flatMap(({ texts }) => texts);
  const isBare = begin === '' && end === '';
  if (isBare) return childrenNamed(element, 'm:e').flatMap((item) => itemsIn(item, place));
  return [{ texts: [...around(begin), ...texts, ...around(end)], kind: 'plain' }];
}

function readFunction(element: Element, place: FormulaContext): Item[] {
  const named = joinedIn(childOf(element, 'm:fName'), place);
  const body = joinedIn(childOf(element, 'm:e'), place);
  const isInBrackets = /^[([{|]/.test(wordsOf(body));
  const texts = [...named, ...(isInBrackets ? [] : [formulaText(' ', place)]), ...body];
  return [{ texts, kind: 'word', isOpenEnded: true }];
}

const HAT = '\u0302';
const OVERLINE = '\u0305';
const UNDERLINE = '\u0332';

function readAccent(element: Element, place: FormulaContext): Item[] {
  const mark = val(childOf(childOf(element, 'm:accPr'), 'm:chr'), 'm:val') ?? HAT;
  const texts = joinedIn(childOf(element, 'm:e'), place);
  if (!/^\p{M}$/u.test(mark) || !/^[\p{L}\p{Nd}]$/u.test(wordsOf(texts))) throw new NotLinear();
  return [{ texts: texts.map((run) => ({ ...run, text: `${run.text}${mark}` })), kind: 'plain' }];
}

/** A line over digits says that they repeat, so each of them gets its part of it. */
function readBar(element: Element, place: FormulaContext): Item[] {
  const isAbove = val(childOf(childOf(element, 'm:barPr'), 'm:pos'), 'm:val') === 'top';
  const texts = joinedIn(childOf(element, 'm:e'), place);
  if (!/^[\p{L}\p{Nd}.,]+$/u.test(wordsOf(texts))) throw new NotLinear();
  const mark = isAbove ? OVERLINE : UNDERLINE;
  const marked = texts.map((run) => ({ ...run, text: run.text.replace(/./gu, `$&${mark}`) }));
  return [{ texts: marked, kind: 'plain' }];
}

function readBorderBox(element: Element, place: FormulaContext): Item[] {
  const properties = childOf(element, 'm:borderBoxPr');
  const isStruck = ['m:strikeH', 'm:strikeV', 'm:strikeBLTR', 'm:strikeTLBR'].some((name) =>
    isSet(properties, name),
  );
  if (isStruck) throw new NotLinear();
  return itemsIn(childOf(element, 'm:e'), place);
}

function readPhantom(element: Element, place: FormulaContext): Item[] {
  const show = childOf(childOf(element, 'm:phantPr'), 'm:show');
  const isShown = show === undefined || isOn(val(show, 'm:val'));
  return isShown ? itemsIn(childOf(element, 'm:e'), place) : [];
}

/** Writes equations under each other. `&` in them says where they are aligned, and is not shown. */
function inRows(rows: readonly Element[], place: FormulaContext): Item[] {
  const texts = rows.flatMap((row, index) => [
    ...(index > 0 ? [formulaText('; ', place)] : []),
    ...joinedIn(row, place).map((run) => ({ ...run, text: run.text.replaceAll('&', '') })),
  ]);
  return [{ texts, kind: 'plain', isOpenEnded: true }];
}

function readMatrix(element: Element, place: FormulaContext): Item[] {
  const rows = childrenNamed(element, 'm:mr').map((row) =>
    childrenNamed(row, 'm:e').map((cell) => joinedIn(cell, place)),
  );
  // A cell with one of these would be read as two.
  if (rows.flat().some((cell) => /[,;]/.test(wordsOf(cell)))) throw new NotLinear();
  const texts = rows.flatMap((cells, index) => [
    ...(index > 0 ? [formulaText('; ', place)] : []),
    ...cells.flatMap((cell, column) => [...(column > 0 ? [formulaText(', ', place)] : []), ...cell]),
  ]);
  return [{ texts: [formulaText('[', place), ...texts, formulaText(']', place)], kind: 'plain' }];
}

// Numbers the paragraphs of lists as Word counts (ECMA-376, part 1, 17.9). It keeps the counters, so callers must number paragraphs in the
// order of the document.
import { whole } from './attributes.ts';
import type { PackageParts } from './package.ts';
import { childOf, childrenNamed, type Element, val } from './xml.ts';

/** `paragraph` and `text` are the level's own `w:pPr` and `w:rPr`. */
type ListLevel = {
  label: string;
  isBullet: boolean;
  follow: 'tab' | 'space' | 'nothing';
  align: string | undefined;
  paragraph: Element | undefined;
  text: Element | undefined;
};

export type Numbering = {
  /** Counts one further, and returns undefined where there is no such list. */
  next(list: string, level: number): ListLevel | undefined;
  /** Returns the properties of a level without counting. */
  peek(list: string, level: number): Element | undefined;
};

const LEVELS = 9;
type Counters = (number | undefined)[];

export function readNumbering(
  parts: PackageParts,
  findList: (style: string) => string | undefined,
): Numbering {
  const { definitionOf, levelOf, overrideOf } = readDefinitions(parts, findList);
  const counters = new Map<string, Counters>();
  const begun = new Set<string>();

  function count(list: string, definition: Definition, level: number): Counters {
    const values = counters.get(definition.id) ?? [];
    counters.set(definition.id, values);
    const restart = whole(val(childOf(overrideOf(list, level), 'w:startOverride')));
    const isFirst = !begun.has(`${list} ${level}`);
    begun.add(`${list} ${level}`);
    const start = startOf(levelOf(list, definition.levels, level));
    if (isFirst && restart !== undefined) values[level] = restart;
    else values[level] = values[level] === undefined ? start : values[level]! + 1;
    for (let above = 0; above < level; above += 1)
      values[above] ??= startOf(levelOf(list, definition.levels, above));
    for (let below = level + 1; below < LEVELS; below += 1)
      if (restarts(levelOf(list, definition.levels, below), level)) values[below] = undefined;
    return values;
  }

  function labelOf(list: string, levels: Element, level: Element, values: Counters): string {
    const pattern = patternOf(level);
    const isLegal = childOf(level, 'w:isLgl') !== undefined;
    return pattern.replace(/%([1-9])/g, (_, digit: string) => {
      const index = Number(digit) - 1;
      const format = formatOf(levelOf(list, levels, index));
      return writtenNumber(values[index] ?? 1, isLegal && format !== 'none' ? 'decimal' : format);
    });
  }

  return {
    peek(list, level) {
      const definition = definitionOf(list);
      return definition && levelOf(list, definition.levels, level);
    },
    next(list, level) {
      const definition = definitionOf(list);
      const listLevel = definition && levelOf(list, definition.levels, level);
      if (!definition || !listLevel || level < 0 || level >= LEVELS) return undefined;
      const values = count(list, definition, level);
      const isBullet = formatOf(listLevel) === 'bullet';
      const isNone = formatOf(listLevel) === 'none' && patternOf(listLevel) === '';
      return {
        label: isBullet
          ? patternOf(listLevel)
          : isNone
            ? ''
            : labelOf(list, definition.levels, listLevel, values),
        isBullet,
        follow: followOf(val(childOf(listLevel, 'w:suff'))),
        align: val(childOf(listLevel, 'w:lvlJc')),
        paragraph: childOf(listLevel, 'w:pPr'),
        text: childOf(listLevel, 'w:rPr'),
      };
    },
  };
}

/** Lists stand on a definition (`w:abstractNum`): `levels` has the levels that a list does not override. */
type Definition = { id: string; levels: Element };

const NO_LEVELS: ReadonlyMap<number | undefined, Element> = new Map();

function readDefinitions(parts: PackageParts, findList: (style: string) => string | undefined) {
  const part = parts.related(parts.main, 'numbering');
  const root = part === undefined ? undefined : parts.xml(part);
  const abstract = byValue(childrenNamed(root, 'w:abstractNum'), 'w:abstractNumId');
  const lists = byValue(childrenNamed(root, 'w:num'), 'w:numId');

  const definitions = new Map<string, Definition | undefined>();

  function definitionOf(list: string): Definition | undefined {
    if (!definitions.has(list)) definitions.set(list, readDefinition(list, false));
    return definitions.get(list);
  }

  /** A definition may name a style, which names another list. */
  function readDefinition(list: string, isLast: boolean): Definition | undefined {
    const id = val(childOf(lists.get(list), 'w:abstractNumId'));
    const levels = id === undefined ? undefined : abstract.get(id);
    if (id === undefined || !levels) return undefined;
    const style = val(childOf(levels, 'w:numStyleLink'));
    const linked = style === undefined || isLast ? undefined : findList(style);
    return (linked === undefined ? undefined : readDefinition(linked, true)) ?? { id, levels };
  }

  const levelsOf = new Map<Element, ReadonlyMap<number | undefined, Element>>();

  /** The first element of each level counts. */
  function byLevel(parent: Element | undefined, name: string): ReadonlyMap<number | undefined, Element> {
    if (!parent) return NO_LEVELS;
    const cached = levelsOf.get(parent);
    if (cached) return cached;
    const elements = childrenNamed(parent, name).reverse();
    const levels = new Map(elements.map((element) => [whole(val(element, 'w:ilvl')), element]));
    levelsOf.set(parent, levels);
    return levels;
  }

  const overrideOf = (list: string, level: number) => byLevel(lists.get(list), 'w:lvlOverride').get(level);

  const levelOf = (list: string, levels: Element, level: number): Element | undefined =>
    childOf(overrideOf(list, level), 'w:lvl') ?? byLevel(levels, 'w:lvl').get(level);

  return { definitionOf, levelOf, overrideOf };
}

const startOf = (level: Element | undefined): number => whole(val(childOf(level, 'w:start'))) ?? 1;
const formatOf = (level: Element | undefined): string => val(childOf(level, 'w:numFmt')) ?? 'decimal';
const patternOf = (level: Element): string => val(childOf(level, 'w:lvlText')) ?? '';

function restarts(below: Element | undefined, level: number): boolean {
  const after = whole(val(childOf(below, 'w:lvlRestart')));
  return after === undefined || (after > 0 && level < after);
}

const followOf = (suffix: string | undefined): ListLevel['follow'] =>
  suffix === 'space' || suffix === 'nothing' ? suffix : 'tab';

const byValue = (elements: readonly Element[], key: string): Map<string, Element> =>
  new Map(elements.map((element) => [val(element, key) ?? '', element]));

const ROMAN: readonly [number, string][] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];
const MOST_ROMAN = 32_767;
/** Letters are repeated: after Z comes AA, then BB (ECMA-376, part 1, 17.18.59). */
const MOST_LETTERS = 780;

/** `format` is one of ST_NumberFormat. One that is not known here is written in digits. */
export function writtenNumber(value: number, format: string): string {
  switch (format) {
    case 'none':
      return '';
    case 'lowerLetter':
      return letters(value).toLowerCase();
    case 'upperLetter':
      return letters(value);
    case 'lowerRoman':
      return roman(value).toLowerCase();
    case 'upperRoman':
      return roman(value);
    case 'decimalZero':
      return `${value}`.padStart(2, '0');
    case 'ordinal':
      return `${value}${ordinalEnd(value)}`;
    case 'numberInDash':
      return `- ${value} -`;
    default:
      return `${value}`;
  }
}

function letters(value: number): string {
  if (value < 1 || value > MOST_LETTERS) return `${value}`;
  const letter = String.fromCharCode('A'.charCodeAt(0) + ((value - 1) % 26));
  return letter.repeat(Math.ceil(value / 26));
}

function roman(value: number): string {
  if (value < 1 || value > MOST_ROMAN) return `${value}`;
  let remainder = value;
  let written = '';
  for (const [worth, sign] of ROMAN) for (; remainder >= worth; remainder -= worth) written += sign;
  return written;
}

function ordinalEnd(value: number): string {
  const isTeen = value % 100 >= 11 && value % 100 <= 13;
  return isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
}

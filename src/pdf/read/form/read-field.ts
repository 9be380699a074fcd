// Reads one field of a form: its kind, its flags, its value and its options.
import { DOCUMENT_LIMITS, FORM_LIMITS } from '../../limits.ts';
import { hexOfComponents } from '../device-colors.ts';
import type { PdfView } from '../read-pdf.ts';
import { type Dict, PdfString, textOf, type Value } from '../values.ts';
import type { AcroFormField, FormFieldKind, FormOption, FormTrait, FormWidget } from './form.ts';

/** Bits count from 1 (ISO 32000-1, tables 221, 226, 228 and 230). */
const FLAGS = {
  text: { multiline: 13, password: 14, file: 21, comb: 25, rich: 26 },
  choice: { editable: 19, multiple: 22 },
} as const;
const READ_ONLY = 1;
const REQUIRED = 2;
const RADIO = 16;
const PUSH_BUTTON = 17;

const hasFlag = (flags: number, bit: number): boolean => Math.floor(flags / 2 ** (bit - 1)) % 2 === 1;

/** @param chain of the field, without its widgets @param widgets with their dictionaries, in the order of the pages */
export function readField(
  view: PdfView,
  chain: FieldChain,
  widgets: readonly { widget: FormWidget; dict: Dict }[],
): AcroFormField {
  const number = (key: string) => {
    const value = view.resolve(inheritedEntry(chain, key));
    return typeof value === 'number' ? value : undefined;
  };
  const flags = number('Ff') ?? 0;
  const kind = kindOf(view, chain, flags);
  const scripts = readScripts(view, actionsOf(view, chain, widgets));
  const options = kind === 'choice' ? choicesOf(view, chain) : statesOf(view, chain, widgets);
  const traits = ownTraits(view, chain, { kind, quadding: number('Q'), widgets });
  const maxLength = kind === 'text' ? number('MaxLen') : undefined;
  return {
    name: qualifiedName(view, chain),
    tooltip: textWithin(view.resolve(inheritedEntry(chain, 'TU')), FORM_LIMITS.textBytes),
    kind,
    traits: [...new Set([...traitsOf(kind, flags), ...traits, ...scripts.traits])],
    values: valuesOf(view, chain, kind, widgets),
    options,
    maxLength: maxLength !== undefined && maxLength > 0 ? Math.floor(maxLength) : undefined,
    format: scripts.format,
    range: scripts.range,
    ...fontOf(view, chain, widgets),
    widgets: widgets.map(({ widget }) => widget),
  };
}

function kindOf(view: PdfView, chain: FieldChain, flags: number): FormFieldKind {
  const type = view.resolve(inheritedEntry(chain, 'FT'));
  if (type === 'Tx') return 'text';
  if (type === 'Ch') return 'choice';
  if (type === 'Sig') return 'signature';
  if (type !== 'Btn') return 'unknown';
  if (hasFlag(flags, PUSH_BUTTON)) return 'button';
  return hasFlag(flags, RADIO) ? 'radio' : 'checkbox';
}

function traitsOf(kind: FormFieldKind, flags: number): FormTrait[] {
  const traits: FormTrait[] = [];
  if (hasFlag(flags, READ_ONLY)) traits.push('readonly');
  if (hasFlag(flags, REQUIRED)) traits.push('required');
  if (kind !== 'text' && kind !== 'choice') return traits;
  for (const [trait, bit] of Object.entries(FLAGS[kind]))
    if (hasFlag(flags, bit)) traits.push(trait as FormTrait);
  return traits;
}

type FieldEntries = {
  kind: FormFieldKind;
  /** Lines of text begin at the left (0), in the middle (1) or at the right (2). */
  quadding: number | undefined;
  widgets: readonly { dict: Dict }[];
};

function ownTraits(view: PdfView, chain: FieldChain, { kind, quadding, widgets }: FieldEntries): FormTrait[] {
  const traits: FormTrait[] = [];
  const hasText = kind === 'text' || kind === 'choice';
  if (isSigned(view, chain)) traits.push('signed');
  if (hasText && (quadding === 1 || quadding === 2)) traits.push('aligned');
  if (kind !== 'button' && widgets.some(({ dict }) => dict.has('A'))) traits.push('acting');
  return traits;
}

function isSigned(view: PdfView, chain: FieldChain): boolean {
  return (
    view.resolve(inheritedEntry(chain, 'FT')) === 'Sig' && view.dict(inheritedEntry(chain, 'V')) !== undefined
  );
}

function actionsOf(view: PdfView, chain: FieldChain, widgets: readonly { dict: Dict }[]): Dict | undefined {
  const ofField = view.dict(inheritedEntry(chain, 'AA'));
  return (
    ofField ?? widgets.map(({ dict }) => view.dict(dict.get('AA'))).find((actions) => actions !== undefined)
  );
}

// ── values ──────────────────────────────────────────────────────────────────────────────────────────────────────

const OFF = 'Off';

function valuesOf(
  view: PdfView,
  chain: FieldChain,
  kind: FormFieldKind,
  widgets: readonly { widget: FormWidget; dict: Dict }[],
): string[] {
  const value = view.resolve(inheritedEntry(chain, 'V'));
  if (kind === 'checkbox' || kind === 'radio') return stateNow(view, value, widgets);
  if (kind !== 'text' && kind !== 'choice') return [];
  const items = Array.isArray(value) ? value.slice(0, FORM_LIMITS.options) : [value];
  return items.flatMap((item) => textIn(view, view.resolve(item)) || []);
}

/** A field names its state, or else its widgets show it. */
function stateNow(
  view: PdfView,
  value: Value,
  widgets: readonly { widget: FormWidget; dict: Dict }[],
): string[] {
  const stated = typeof value === 'string' ? nameText(value) : textOf(value);
  if (stated !== undefined && widgets.some(({ widget }) => widget.state === stated)) return [stated];
  if (stated === OFF) return [];
  const shown = widgets
    .map(({ dict }) => view.resolve(dict.get('AS')))
    .find((state) => typeof state === 'string' && state !== OFF);
  return typeof shown === 'string' ? [nameText(shown)] : [];
}

function textIn(view: PdfView, value: Value): string | undefined {
  if (typeof value === 'string') return nameText(value);
  const text = textWithin(value, FORM_LIMITS.textBytes) ?? textOfData(view.data(value));
  return text?.replace(/\r\n?/g, '\n');
}

/** Long texts may be streams. Their bytes are those of a text string. */
const textOfData = (data: Buffer | undefined): string | undefined =>
  data && textOf(new PdfString(data.subarray(0, FORM_LIMITS.textBytes), false));

/** Names are bytes, which are UTF-8 (ISO 32000-1, 7.3.5); older programs wrote Latin-1. */
function nameText(name: string): string {
  const bytes = Buffer.from(name, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : name;
}

// ── options ─────────────────────────────────────────────────────────────────────────────────────────────────────

function choicesOf(view: PdfView, chain: FieldChain): FormOption[] {
  const items = view.array(inheritedEntry(chain, 'Opt')) ?? [];
  return items.slice(0, FORM_LIMITS.options).flatMap((item) => {
    const option = view.resolve(item);
    const [value, text] = (Array.isArray(option) ? option.slice(0, 2) : [option, option]).map((part) =>
      textIn(view, view.resolve(part)),
    );
    return value === undefined ? [] : [{ value, text: text ?? value }];
  });
}

/** Check boxes and radio buttons have states. /Opt has the texts for those whose names are only numbers. */
function statesOf(
  view: PdfView,
  chain: FieldChain,
  widgets: readonly { widget: FormWidget }[],
): FormOption[] {
  const items = view.array(inheritedEntry(chain, 'Opt')) ?? [];
  const texts = items.slice(0, FORM_LIMITS.options).map((item) => textIn(view, view.resolve(item)));
  const options = new Map<string, FormOption>();
  for (const [index, { widget }] of widgets.entries()) {
    const { state } = widget;
    if (state === undefined || options.has(state)) continue;
    if (options.size >= FORM_LIMITS.options) break;
    const position = /^\d+$/.test(state) ? Number(state) : index;
    options.set(state, { value: state, text: texts[position] || state });
  }
  return [...options.values()];
}

/** A button is on in the state that has an appearance and is not the other one. */
export function onState(view: PdfView, widget: Dict): string | undefined {
  const appearances = view.dict(widget.get('AP'));
  for (const key of ['N', 'D']) {
    const states = view.resolve(appearances?.get(key));
    for (const name of states instanceof Map ? states.keys() : []) if (name !== OFF) return nameText(name);
  }
  const now = view.resolve(widget.get('AS'));
  return typeof now === 'string' && now !== OFF ? nameText(now) : undefined;
}

// ── the font ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Reads size and color of the text from its default appearance (/DA). A size of 0 stands for as large as it fits. */
function fontOf(
  view: PdfView,
  chain: FieldChain,
  widgets: readonly { dict: Dict }[],
): Pick<AcroFormField, 'fontSize' | 'fontColor'> {
  const ofWidget = widgets.map(({ dict }) => dict.get('DA')).find((entry) => entry !== undefined);
  const value = view.resolve(ofWidget ?? inheritedEntry(chain, 'DA'));
  const operators =
    value instanceof PdfString ? value.bytes.toString('latin1', 0, FORM_LIMITS.defaultAppearanceBytes) : '';
  const size = Number(/(\d*\.?\d+)\s+Tf\b/.exec(operators)?.[1]);
  const color = colorOf(operators);
  return {
    ...(size > 0 && { fontSize: size }),
    ...(color !== undefined && color !== BLACK && { fontColor: color }),
  };
}

const BLACK = '#000000';

/** The operators set a color, with their operands before them. */
const COLOR = /((?:(?:\d*\.)?\d+\s+){1,4})(?:rg|g|k)\b/;

function colorOf(operators: string): string | undefined {
  const operands = COLOR.exec(operators)?.[1]?.trim().split(/\s+/).map(Number);
  const color = operands && hexOfComponents(operands);
  return color === undefined ? undefined : `#${color}`;
}

/** The dictionaries of a field begin with its own and end with the root of the form. */
export type FieldChain = readonly Dict[];

export type FieldTree = {
  /** The chain leads from a widget, or a field, upwards. */
  chainOf(dict: Dict): FieldChain;
  /** They have no other fields below them, and are in the order of the form. */
  terminals: readonly Dict[];
  /** The form was too large to be walked. */
  isCut: boolean;
};

export function readFieldTree(view: PdfView, form: Dict): FieldTree {
  const parents = new Map<Dict, Dict | undefined>();
  const terminals: Dict[] = [];
  let isCut = false;
  const visit = (value: Value, parent: Dict | undefined, depth: number) => {
    const dict = view.dict(value);
    if (!dict || parents.has(dict) || depth > DOCUMENT_LIMITS.formDepth) return;
    if (parents.size >= DOCUMENT_LIMITS.formFields) {
      isCut = true;
      return;
    }
    parents.set(dict, parent);
    const kids = view.array(dict.get('Kids')) ?? [];
    const isNamed = (kid: Value) => view.dict(kid)?.has('T') === true;
    if (dict.has('T') && !kids.some(isNamed)) terminals.push(dict);
    for (const kid of kids) visit(kid, dict, depth + 1);
  };
  for (const field of view.array(form.get('Fields')) ?? []) visit(field, undefined, 0);
  return {
    chainOf(dict) {
      const chain: Dict[] = [];
      let at: Dict | undefined = dict;
      while (at && !chain.includes(at) && chain.length <= DOCUMENT_LIMITS.formDepth) {
        chain.push(at);
        at = parents.has(at) ? parents.get(at) : view.dict(at.get('Parent'));
      }
      return chain;
    },
    terminals,
    isCut,
  };
}

/** Returns the entry of a field, or of the nearest field above it. */
export function inheritedEntry(chain: FieldChain, key: string): Value | undefined {
  return chain.find((dict) => dict.has(key))?.get(key);
}

/** Returns the dictionary that has the name of the field. Its widgets are below it. */
export const namedField = (chain: FieldChain): Dict | undefined => chain.find((dict) => dict.has('T'));

/** Joins the names of a field and of all fields above it. A long name is cut. */
export const qualifiedName = (view: PdfView, chain: FieldChain): string =>
  chain
    .flatMap((dict) => textWithin(view.resolve(dict.get('T')), FORM_LIMITS.nameBytes) || [])
    .reverse()
    .join('.')
    .slice(0, FORM_LIMITS.nameCharacters);

/** Decodes the beginning of a text. */
function textWithin(value: Value, most: number): string | undefined {
  if (!(value instanceof PdfString) || value.bytes.length <= most) return textOf(value);
  return textOf(new PdfString(value.bytes.subarray(0, most), value.isHex));
}

type ScriptProperties = Pick<AcroFormField, 'format' | 'range'> & { traits: FormTrait[] };

/** @param actions what a field does on events (/AA) */
function readScripts(view: PdfView, actions: Dict | undefined): ScriptProperties {
  const script = (key: string) => scriptOf(view, actions?.get(key));
  const [keystroke, format, validate, calculate] = ['K', 'F', 'V', 'C'].map(script);
  const standardFormat = formatOf(format ?? '') ?? formatOf(keystroke ?? '');
  const range = rangeOf(validate ?? '');
  const traits: FormTrait[] = [];
  if (!standardFormat && (format !== undefined || keystroke !== undefined)) traits.push('formatted');
  if (!range && validate !== undefined) traits.push('validated');
  if (calculate !== undefined) traits.push('calculated');
  if ([...(actions?.keys() ?? [])].some((key) => !KNOWN.has(key))) traits.push('acting');
  return { format: standardFormat, range, traits };
}

/** Events that are read above; others are those of the mouse, the keyboard and the page. */
const KNOWN = new Set(['K', 'F', 'V', 'C']);

/** Returns an empty text for an action that is no script, and undefined where there is none. */
function scriptOf(view: PdfView, value: Value | undefined): string | undefined {
  const action = view.dict(value);
  if (!action) return undefined;
  const script = view.resolve(action.get('JS'));
  return (textOf(script) ?? view.data(script)?.toString('latin1') ?? '').slice(
    0,
    FORM_LIMITS.scriptCharacters,
  );
}

/** The functions without `Ex` name the dates of the dialog by their numbers. */
const NUMBERED_DATES = [
  'm/d',
  'm/d/yy',
  'mm/dd/yy',
  'mm/yy',
  'd-mmm',
  'd-mmm-yy',
  'dd-mmm-yy',
  'yy-mm-dd',
  'mmm-yy',
  'mmmm-yy',
  'mmm d, yyyy',
  'mmmm d, yyyy',
  'm/d/yy h:MM tt',
  'm/d/yy HH:MM',
];

function formatOf(script: string): AcroFormField['format'] {
  const named = /\bAFDate_(?:Format|Keystroke)Ex\s*\(\s*(["'])([^"']{1,40})\1/.exec(script);
  if (named) return { kind: 'date', pattern: named[2] ?? '' };
  const numbered = /\bAFDate_(?:Format|Keystroke)\s*\(\s*(\d+)/.exec(script);
  const pattern = numbered && NUMBERED_DATES[Number(numbered[1])];
  if (pattern) return { kind: 'date', pattern };
  return /\bAFNumber_(?:Format|Keystroke)\s*\(/.test(script) ? { kind: 'number' } : undefined;
}

const RANGE =
  /\bAFRange_Validate\s*\(\s*(true|false)\s*,\s*(-?[\d.]+|"")\s*,\s*(true|false)\s*,\s*(-?[\d.]+|"")\s*\)/;

function rangeOf(script: string): AcroFormField['range'] {
  const [, hasMin, min, hasMax, max] = RANGE.exec(script) ?? [];
  const range = {
    ...(hasMin === 'true' && isNumeric(min) && { min: Number(min) }),
    ...(hasMax === 'true' && isNumeric(max) && { max: Number(max) }),
  };
  return Object.keys(range).length > 0 ? range : undefined;
}

const isNumeric = (text: string | undefined): boolean =>
  text !== undefined && text !== '' && Number.isFinite(Number(text));

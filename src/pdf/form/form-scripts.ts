// Recognizes the standard scripts of form fields, which Acrobat writes for the choices in its dialogs: the format of a date or a
// number, and the limits of a number. It must never run a script.
import { FORM_LIMITS } from '../limits.ts';
import type { PdfView } from '../syntax/read-pdf.ts';
import { type Dict, textOf, type Value } from '../syntax/values.ts';
import type { AcroFormField, FormTrait } from './form.ts';

export type ScriptFacts = Pick<AcroFormField, 'format' | 'range'> & { traits: FormTrait[] };

/** @param actions what a field does on events (/AA) */
export function readScripts(view: PdfView, actions: Dict | undefined): ScriptFacts {
  const script = (key: string) => scriptOf(view, actions?.get(key));
  const [keystroke, format, validate, calculate] = ['K', 'F', 'V', 'C'].map(script);
  const found = formatOf(format ?? '') ?? formatOf(keystroke ?? '');
  const range = rangeOf(validate ?? '');
  const traits: FormTrait[] = [];
  if (!found && (format !== undefined || keystroke !== undefined)) traits.push('formatted');
  if (!range && validate !== undefined) traits.push('validated');
  if (calculate !== undefined) traits.push('calculated');
  if ([...(actions?.keys() ?? [])].some((key) => !KNOWN.has(key))) traits.push('acting');
  return { format: found, range, traits };
}

/** Events that are read above; others are those of the mouse, the keyboard and the page. */
const KNOWN = new Set(['K', 'F', 'V', 'C']);

/** Empty for an action that is no script. Undefined where there is none. */
function scriptOf(view: PdfView, value: Value | undefined): string | undefined {
  const action = view.dict(value);
  if (!action) return undefined;
  const script = view.resolve(action.get('JS'));
  return (textOf(script) ?? view.data(script)?.toString('latin1') ?? '').slice(
    0,
    FORM_LIMITS.scriptCharacters,
  );
}

/** The dates of the dialog by their numbers, for the functions without `Ex`. */
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

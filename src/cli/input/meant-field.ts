// Writes a SPEC of a field that cannot be read as it was probably meant: with the recipient where it belongs, the words in quotation
// marks, or a position in the words of the syntax. Whether the result can be read is for the caller to check.
import { FIELD_TYPES } from '../../api/contract/fields.ts';
import { nearest } from '../../common/nearest.ts';
import { ANCHOR_POSITIONS, type AnchorPosition } from '../../placement/anchors.ts';
import { sizeOfType } from '../../placement/sizes.ts';

const OTHER_POSITIONS: Readonly<Record<string, AnchorPosition>> = {
  under: 'below',
  underneath: 'below',
  beneath: 'below',
  bottom: 'below',
  on: 'over',
  onto: 'over',
  in: 'over',
  inside: 'over',
  top: 'above',
  up: 'above',
  beside: 'right',
  after: 'right',
  before: 'left',
};

const OTHER_TYPES: Readonly<Record<string, string>> = {
  name: 'person_name',
  mail: 'email',
  string: 'text',
  check: 'checkbox',
  dropdown: 'select',
};

/** Properties whose values contain no `=`. */
const WITHOUT_EQUALS = 'at|match|page|document|size|min|max|minlength|maxlength';
/** What is typed for the recipient, who has no property. */
const RECIPIENT_NAMES = 'to|for|by|recipient|email|signer|assignee';
const RECIPIENT = String.raw`\d+|[^\s=@<>,;]+@[^\s=@<>,;]+`;

const CURLY = /@\s*[“”„«»](?<words>[^“”„«»]+)[“”„«»]/u;
const QUOTED = /^[A-Za-z_]+@(?<quote>["'])(?:\\.|(?!\k<quote>)[^\\])*\k<quote>/u;
const OFFSET = /^:-?[\d.][^,;=]*,-?[\d.][^,;=]*(?:,[\d.][^,;=]*)?/;
const PLACED = /^(?<type>[A-Za-z_]+)@(?:\d+|last):[^,;=]+,(?:\s*-?[\d.][^,;=]*)(?<size>,\s*[\d.][^,;=]*)?/;
const UNQUOTED = /^(?<type>[A-Za-z_]+)@(?!["']|\d+:|last:)(?<words>[^"'=,;:]*\p{L}[^"'=,;:]*)/u;

/** @returns the type that a text may mean: one that it begins, that begins with it, or that is near to it */
export function nearestType(text: string): string | undefined {
  const typed = text.toLowerCase();
  const longer = FIELD_TYPES.filter((type) => typed.length > 1 && type.startsWith(typed));
  if (longer.length === 1) return longer[0];
  return (Object.hasOwn(OTHER_TYPES, typed) ? OTHER_TYPES[typed] : undefined) ?? nearest(typed, FIELD_TYPES);
}

export const namesPosition = (text: string): AnchorPosition | undefined => {
  const typed = text.trim().toLowerCase();
  return Object.hasOwn(OTHER_POSITIONS, typed)
    ? OTHER_POSITIONS[typed]
    : (nearest(typed, ANCHOR_POSITIONS) as AnchorPosition | undefined);
};

/** @returns the SPEC as it was probably meant; the same text where there is nothing to correct, and undefined where it has no place */
export function meantField(spec: string): string | undefined {
  const typed = withKnownType(spec.trim());
  const text = typed
    .replace(CURLY, '@"$<words>"')
    .replace(
      UNQUOTED,
      (_, type: string, words: string) => `${type}@"${words.trim().replaceAll('\\', '\\\\')}"`,
    );
  const head = headOf(text);
  if (head === undefined) return undefined;
  const { recipients, properties } = rewritten(text.slice(head.typed));
  const [recipient, another] = recipients;
  if (another !== undefined) return undefined;
  return `${head.text}${recipient === undefined ? '' : `=${recipient}`}${properties}`;
}

/** @returns the SPEC with a recipient in their place; undefined where it has no place */
export function withRecipient(spec: string, recipient: string): string | undefined {
  const text = spec.trim();
  const head = headOf(text);
  return head && `${head.text}=${recipient}${text.slice(head.typed)}`;
}

function withKnownType(text: string): string {
  const [type = ''] = /^[A-Za-z_]+(?=@)/.exec(text) ?? [];
  const meant = (FIELD_TYPES as readonly string[]).includes(type) ? type : nearestType(type);
  return `${meant ?? type}${text.slice(type.length)}`;
}

/** @returns the type, the place and the size. `typed` is their length in the text, which may lack the size. */
function headOf(text: string): { text: string; typed: number } | undefined {
  const [words] = QUOTED.exec(text) ?? [];
  if (words !== undefined) {
    const [offset = ''] = OFFSET.exec(text.slice(words.length)) ?? [];
    return { text: words + offset, typed: words.length + offset.length };
  }
  const placed = PLACED.exec(text);
  if (!placed?.groups) return undefined;
  const [head] = placed;
  const { width, height } = sizeOfType(placed.groups.type ?? '');
  return {
    text: placed.groups.size === undefined ? `${head},${width}x${height}` : head,
    typed: head.length,
  };
}

/** Takes the recipients out of what follows the place. */
function rewritten(rest: string): { recipients: string[]; properties: string } {
  const recipients: string[] = [];
  let properties = '';
  // A separator stands before each property.
  for (const [, separator = '', part = ''] of rest.matchAll(/([,;]?)([^,;]*)/g)) {
    const property = part.trim();
    const [, leading] = new RegExp(`^[=:](${RECIPIENT})$`).exec(separator === '' ? property : '') ?? [];
    const [, named] =
      new RegExp(`^(?:(?:${RECIPIENT_NAMES})\\s*=)?(?:[^<>]*<)?(${RECIPIENT})>?$`, 'i').exec(property) ?? [];
    const [, before, behind] =
      new RegExp(`^((?:${WITHOUT_EQUALS})=[^=]*)=\\s*(${RECIPIENT})$`).exec(property) ?? [];
    const [, position] = /^(?::\s*|at\s*=\s*)?([A-Za-z]+)$/.exec(property) ?? [];
    const isMissing = property === '' || property === '=';
    if (leading !== undefined) recipients.push(leading);
    else if (named !== undefined && !/^\d+$/.test(property)) recipients.push(named);
    else if (before !== undefined && behind !== undefined) {
      recipients.push(behind);
      properties += `${separator}${before}`;
    } else if (position !== undefined && isPositionTyped(property, position))
      properties += `${separator || ','}at=${namesPosition(position)}`;
    else if (!isMissing) properties += `${separator}${part}`;
  }
  return { recipients, properties };
}

/** A word alone may be a switch as well, such as `word`, so that only a position by any of its names counts. */
function isPositionTyped(property: string, position: string): boolean {
  const typed = position.toLowerCase();
  if (/^(?::|at\s*=)/.test(property)) return namesPosition(position) !== undefined;
  return (ANCHOR_POSITIONS as readonly string[]).includes(typed) || Object.hasOwn(OTHER_POSITIONS, typed);
}

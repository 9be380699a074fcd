// Writes the names in certificates as people read them.

import { VERIFY_LIMITS } from '../limits.ts';
import { type Der, oidOf, readDer, sequenceOf, setOf, stringOf } from './read-der.ts';

const ATTRIBUTES: Record<string, string> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.42': 'GN',
  '2.5.4.97': 'organizationIdentifier',
  '1.2.840.113549.1.9.1': 'E',
  '0.9.2342.19200300.100.1.25': 'DC',
};

type NamePart = { type: string; value: string };

function partsOfName(name: Der): NamePart[] {
  return (sequenceOf(name) ?? []).flatMap((set) =>
    (setOf(set) ?? []).map((one) => {
      const [type, value] = sequenceOf(one) ?? [];
      const oid = oidOf(type) ?? '?';
      return { type: ATTRIBUTES[oid] ?? oid, value: stringOf(value) ?? '?' };
    }),
  );
}

/** `CN=Ada Lovelace, O=Example`, the most particular first. */
export const nameInWords = (name: Der): string =>
  partsOfName(name)
    .reverse()
    .map(({ type, value }) => `${type}=${escapeValue(shortened(value))}`)
    .join(', ');

/** What would end a value, or begin another, is escaped (RFC 4514, 2.4). */
const escapeValue = (value: string): string => value.replace(/[,+"\\<>;=]|^[ #]| $/g, '\\$&');

const shortened = (value: string): string =>
  value.length > VERIFY_LIMITS.nameCharacters ? `${value.slice(0, VERIFY_LIMITS.nameCharacters)}…` : value;

export function displayNameOf(name: Der): string {
  const parts = partsOfName(name);
  const of = (type: string) => parts.findLast((part) => part.type === type)?.value;
  const given = [of('GN'), of('SN')].filter((part) => part !== undefined).join(' ');
  const shown = [of('CN'), given, of('O'), of('E')].find((one) => one !== undefined && VISIBLE.test(one));
  return shortened(shown ?? '') || nameInWords(name) || 'no name';
}

/** Blanks, controls, the empty pattern of Braille and what fonts leave out (Hangul fillers among them) show nothing. */
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Names are compared as they are read: in any type of string, and without regard to case and blanks (RFC 5280, 7.1). */
export const isSameName = (one: Buffer, other: Buffer): boolean =>
  one.equals(other) || plainName(one) === plainName(other);

const plainNames = new WeakMap<Buffer, string>();

export function plainName(name: Buffer): string {
  const before = plainNames.get(name);
  if (before !== undefined) return before;
  const read = readDer(name);
  const plain = read ? nameInWords(read).toLowerCase().replace(/\s+/g, ' ').trim() : '';
  plainNames.set(name, plain);
  return plain;
}

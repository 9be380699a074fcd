// Reads what lists and answers of revocation have in common: extensions, and entries within what is left for the file.

import {
  contentOf,
  type Der,
  explicit,
  MOST_CHILDREN,
  octetsOf,
  oidOf,
  readableIn,
  readDer,
  sequenceOf,
  TAG,
} from '../sign/read-der.ts';
import { type Checks, exhaust, spend } from '../sign/signed-by.ts';

/** Without a value where it cannot be read. */
type Extension = { isCritical: boolean; value: Der | undefined };

type Extensions = {
  byId: Map<string, Extension>;
  /** Whether all can be read, each stands once (RFC 5280, 4.2), and those that are critical are known. */
  areKnown(isKnown: (oid: string) => boolean): boolean;
};

/** @param part what has the list in it, where there is one */
export function extensionsOf(part: Der | undefined): Extensions {
  return part ? extensionsIn(explicit(part)) : NO_EXTENSIONS;
}

export const NO_EXTENSIONS: Extensions = { byId: new Map(), areKnown: () => true };

export function extensionsIn(list: Der | undefined): Extensions {
  const byId = new Map<string, Extension>();
  const { parts, areAll } = readableIn(list);
  for (const extension of parts) {
    const [id, ...rest] = sequenceOf(extension) ?? [];
    const octets = octetsOf(rest.at(-1));
    const value = octets && readDer(octets);
    const isCritical = rest[0]?.tag === TAG.boolean && contentOf(rest[0])[0] !== 0;
    const oid = oidOf(id) ?? '';
    // Of one that stands twice, the first is taken, and the list is not understood.
    if (!byId.has(oid)) byId.set(oid, { isCritical, value });
  }
  const isEachOnce = list?.tag === TAG.sequence && areAll && byId.size === parts.length;
  return {
    byId,
    areKnown: (isKnown) =>
      isEachOnce && [...byId].every(([oid, { isCritical }]) => !isCritical || isKnown(oid)),
  };
}

/** So many entries take as long to read as a signature takes to check. */
const ENTRIES_OF_A_CHECK = 1000;

/** The entries of a list, or the answers of a response: none where they are more than is left for the file. */
export function readItems(list: Der | undefined, checks: Checks): ReturnType<typeof readableIn> {
  const { parts, areAll } = readableIn(list);
  if (parts.length >= MOST_CHILDREN) exhaust(checks);
  const isEnough = spend(checks, Math.floor(parts.length / ENTRIES_OF_A_CHECK));
  return isEnough ? { parts, areAll } : { parts: [], areAll: false };
}

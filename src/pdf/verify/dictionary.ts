// What the dictionary of a signature says beside the signature itself: its format, what it allows to follow, and what the
// signer claims. It must never be taken for proof: only what the signature covers is signed, and claims stay claims.

import { VERIFY_LIMITS } from '../limits.ts';
import { timeAt } from '../sign/der.ts';
import type { PdfView } from '../syntax/read-pdf.ts';
import { type Dict, PdfString, textOf, type Value } from '../syntax/values.ts';
import type { Permission } from './changes/diff-context.ts';

/** `digest_inside`: CMS over the SHA-1 of the document, which it has inside. `bare_rsa`: a signature without CMS. */
export type Format = 'pades' | 'cms' | 'timestamp' | 'digest_inside' | 'bare_rsa' | 'unknown';

const FORMATS: Record<string, Format> = {
  'ETSI.CAdES.detached': 'pades',
  'adbe.pkcs7.detached': 'cms',
  // That of the Brazilian authorities (DOC-ICP-15), with a policy of theirs among the signed attributes.
  'PBAD.PAdES': 'cms',
  'ETSI.RFC3161': 'timestamp',
  'adbe.pkcs7.sha1': 'digest_inside',
  'adbe.x509.rsa_sha1': 'bare_rsa',
};

export type Claims = {
  subFilter: string;
  format: Format;
  name?: string;
  reason?: string;
  location?: string;
  /** By the signer's own clock. */
  time?: number;
  /** Those that stand beside the signature, which only the format without CMS has. */
  certificates: Buffer[];
  hasCertificate: boolean;
};

export function claimsOf(view: PdfView, dict: Dict): Claims {
  const text = (key: string) => textOf(view.resolve(dict.get(key)));
  const named = view.resolve(dict.get('SubFilter'));
  const subFilter = typeof named === 'string' ? named : '';
  const [name, reason, location, time] = [
    text('Name'),
    text('Reason'),
    text('Location'),
    timeOfDate(text('M')),
  ];
  return {
    subFilter,
    format: Object.hasOwn(FORMATS, subFilter) ? FORMATS[subFilter]! : 'unknown',
    ...(name && { name }),
    ...(reason && { reason }),
    ...(location && { location }),
    ...(time !== undefined && { time }),
    certificates: certificatesIn(view, dict),
    hasCertificate: dict.has('Cert'),
  };
}

function certificatesIn(view: PdfView, dict: Dict): Buffer[] {
  const value = view.resolve(dict.get('Cert'));
  const items = Array.isArray(value) ? value.map((item) => view.resolve(item)) : [value];
  return items
    .slice(0, VERIFY_LIMITS.certificates)
    .flatMap((item) => (item instanceof PdfString ? [item.bytes] : []));
}

const DATE = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?'?)?/;

/** `D:20261121180000+01'00'`, in milliseconds since 1970 (ISO 32000-2, 7.9.4). */
export function timeOfDate(text: string | undefined): number | undefined {
  const found = text === undefined ? null : DATE.exec(text);
  if (!found) return undefined;
  const part = (index: number, otherwise: number) => Number(found[index] ?? otherwise);
  const local = timeAt([part(1, 0), part(2, 1), part(3, 1), part(4, 0), part(5, 0), part(6, 0)]);
  if (local === undefined) return undefined;
  const awayMinutes = (found[7] === '-' ? -1 : 1) * (part(8, 0) * 60 + part(9, 0));
  return local - awayMinutes * 60_000;
}

// ── what may follow ─────────────────────────────────────────────────────────────────────────────────────────────

const PERMISSIONS: readonly Permission[] = ['nothing', 'form', 'notes'];

/** The standard wants a list. Readers may follow a single reference as well, and then hold the document closed. */
const referencesOf = (view: PdfView, dict: Dict, method: string): Dict[] =>
  (view.array(dict.get('Reference')) ?? [dict.get('Reference')]).flatMap((item) => {
    const reference = view.dict(item);
    if (view.resolve(reference?.get('TransformMethod')) !== method) return [];
    return [view.dict(reference?.get('TransformParams')) ?? new Map()];
  });

/** What a certification allows to follow (DocMDP); undefined for a signature that is none. */
export function certificationOf(view: PdfView, dict: Dict, field: Dict): Permission | undefined {
  const certified = referencesOf(view, dict, 'DocMDP').map((parameters) => {
    const level = view.resolve(parameters.get('P'));
    return level === 1 || level === 3 ? level : 2;
  });
  // A field may close the document when it is signed (ISO 32000-2, table 236).
  const closed = view.resolve(view.dict(field.get('Lock'))?.get('P'));
  const levels = closed === 1 || closed === 2 || closed === 3 ? [...certified, closed] : certified;
  const strictest = [1, 2, 3].find((one) => levels.some((level) => level === one));
  return strictest === undefined ? undefined : PERMISSIONS[strictest - 1];
}

/** Which fields a signature locks (FieldMDP, and the lock of its own field). */
export function locksOf(view: PdfView, dict: Dict, field: Dict): (name: string) => boolean {
  const own = view.dict(field.get('Lock'));
  const locks = [...referencesOf(view, dict, 'FieldMDP'), ...(own ? [own] : [])].map((lock) => ({
    action: view.resolve(lock.get('Action')),
    names: (view.array(lock.get('Fields')) ?? []).map((item: Value) => textOf(view.resolve(item)) ?? ''),
  }));
  return (name) =>
    locks.some(({ action, names }) => {
      const isNamed = names.some((one) => name === one || name.startsWith(`${one}.`));
      if (action === 'Include') return isNamed;
      // What is none of the three is taken as the strictest.
      return action === 'Exclude' ? !isNamed : true;
    });
}

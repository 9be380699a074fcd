// Reads entries of a PDF's dictionaries that may be missing or of another kind than they should be. It must never throw.
import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, PDFString } from '@cantoo/pdf-lib';
import { PdfString, textOf } from '../read/values.ts';

const entry = (dict: PDFDict, key: string) => dict.context.lookup(dict.get(PDFName.of(key)));

export function dictIn(dict: PDFDict, key: string): PDFDict | undefined {
  const value = entry(dict, key);
  return value instanceof PDFDict ? value : undefined;
}

export function arrayIn(dict: PDFDict, key: string): PDFArray | undefined {
  const value = entry(dict, key);
  return value instanceof PDFArray ? value : undefined;
}

export function nameIn(dict: PDFDict, key: string): string | undefined {
  const value = entry(dict, key);
  return value instanceof PDFName ? value.decodeText() : undefined;
}

export function numberIn(dict: PDFDict, key: string): number | undefined {
  const value = entry(dict, key);
  return value instanceof PDFNumber ? value.asNumber() : undefined;
}

export function textIn(dict: PDFDict, key: string): string | undefined {
  const value = entry(dict, key);
  return value instanceof PDFString || value instanceof PDFHexString ? textFrom(value) : undefined;
}

/** Decodes a text string with `textOf` of pdf/syntax: pdf-lib knows no UTF-8 and fails on UTF-16 with an odd number of bytes. */
export function textFrom(value: PDFString | PDFHexString): string | undefined {
  try {
    return textOf(new PdfString(Buffer.from(value.asBytes()), value instanceof PDFHexString));
  } catch {
    return undefined;
  }
}

/** Returns undefined unless all of them are numbers. */
export function numberArrayIn(dict: PDFDict, key: string): number[] | undefined {
  const array = arrayIn(dict, key);
  const values = array?.asArray().map((_, index) => array.lookup(index));
  return values?.every((value) => value instanceof PDFNumber)
    ? values.map((value) => value.asNumber())
    : undefined;
}

/** Reads a field's own entry, or that of a field above it (ISO 32000-1, 12.7.3.1). */
export function inheritedFrom<T>(field: PDFDict, read: (dict: PDFDict) => T | undefined): T | undefined {
  let at: PDFDict | undefined = field;
  for (let depth = 0; at && depth < MOST_LEVELS; depth += 1) {
    const value = read(at);
    if (value !== undefined) return value;
    at = dictIn(at, 'Parent');
  }
  return undefined;
}

const MOST_LEVELS = 32;

// Reads entries of a PDF's dictionaries that may be missing or of another kind than they should be. It must never throw.
import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, PDFString } from '@cantoo/pdf-lib';

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
  if (!(value instanceof PDFString || value instanceof PDFHexString)) return undefined;
  try {
    return value.decodeText();
  } catch {
    return undefined;
  }
}

/** Undefined unless all of them are numbers. */
export function numberArrayIn(dict: PDFDict, key: string): number[] | undefined {
  const array = arrayIn(dict, key);
  const values = array?.asArray().map((_, index) => array.lookup(index));
  return values?.every((value) => value instanceof PDFNumber)
    ? values.map((value) => value.asNumber())
    : undefined;
}

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
  return value instanceof PDFString || value instanceof PDFHexString ? textFrom(value) : undefined;
}

/** What a text says. The library does not know that it may be in UTF-8 (ISO 32000-2, 7.9.2.2). */
export function textFrom(value: PDFString | PDFHexString): string | undefined {
  try {
    const bytes = Buffer.from(value.asBytes());
    return bytes.subarray(0, UTF8.length).equals(UTF8)
      ? bytes.toString('utf8', UTF8.length)
      : value.decodeText();
  } catch {
    return undefined;
  }
}

const UTF8 = Buffer.from([0xef, 0xbb, 0xbf]);

/** Undefined unless all of them are numbers. */
export function numberArrayIn(dict: PDFDict, key: string): number[] | undefined {
  const array = arrayIn(dict, key);
  const values = array?.asArray().map((_, index) => array.lookup(index));
  return values?.every((value) => value instanceof PDFNumber)
    ? values.map((value) => value.asNumber())
    : undefined;
}

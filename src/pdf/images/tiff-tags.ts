// The tags of TIFF 6.0 by which a page is found and decoded.

export const TIFF_TAG = {
  subfileType: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  orientation: 274,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  densityX: 282,
  densityY: 283,
  planar: 284,
  faxOptions: 292,
  densityUnit: 296,
  predictor: 317,
  palette: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
} as const;

export const TIFF_TAGS: ReadonlySet<number> = new Set(Object.values(TIFF_TAG));

/** Values of `compression`. */
export const COMPRESSION = {
  none: 1,
  faxRuns: 2,
  fax3: 3,
  fax4: 4,
  lzw: 5,
  jpeg: 7,
  deflate: 8,
  packBits: 32_773,
  oldDeflate: 32_946,
} as const;

/** Values of `photometric`: what the samples mean. */
export const PHOTOMETRIC = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, cmyk: 5, ycbcr: 6 } as const;

// Files built to keep a reader of documents busy for hours, or to make it take gigabytes: none is larger than 10 MB.
// Each must be refused or processed within 12 seconds, while other requests are answered.
import * as documents from './documents.mjs';
import * as drawings from './drawings.mjs';
import * as inflating from './inflating.mjs';
import * as pictures from './pictures.mjs';
import * as trees from './trees.mjs';

/** Makes the bytes when they are first requested, and caches them. */
function hostile(kind, name, make, limit) {
  let made;
  const fileName = `${name.replaceAll(' ', '-')}.${kind === 'jpeg' ? 'jpg' : kind}`;
  return {
    name,
    fileName,
    kind,
    limit,
    get bytes() {
      made ??= make();
      return made;
    },
  };
}

const pdf = (name, make, limit) => hostile('pdf', name, make, limit);
const docx = (name, make, limit) => hostile('docx', name, make, limit);

export { encryptedEntry, entry, manyPages, zipOf } from './documents.mjs';
export { deflatedCopies } from './parts.mjs';
export { deepPng, progressiveJpeg } from './pictures.mjs';

export const HOSTILE = [
  pdf('flate bomb', inflating.flateBomb, 'stream_bytes'),
  pdf('flate bomb without cross references', inflating.flateBombAstray, 'stream_bytes'),
  pdf('flate bomb packed twice', inflating.flateTwice, 'stream_bytes'),
  pdf('many streams', inflating.manyStreams, 'unpacked_bytes'),
  pdf('lzw bomb', inflating.lzwBomb, 'stream_bytes'),
  pdf('object stream bomb', inflating.objectStreamBomb, 'stream_bytes'),
  pdf('brackets in an object stream', inflating.packedBrackets, 'nesting'),
  pdf('brackets', trees.brackets, 'nesting'),
  pdf('a million pages', inflating.millionPages, 'objects'),
  pdf('one page a million times', trees.samePage, 'page_tree'),
  pdf('shared page tree', trees.sharedPages, 'page_tree'),
  pdf('shared page tree that denies it', trees.sharedPagesDenied, 'page_tree'),
  pdf('deep page tree', trees.deepPages, 'page_tree'),
  pdf('form doubling 24 times', trees.formDoubling24, 'form_fields'),
  pdf('form doubling 40 times', trees.formDoubling40, 'form_fields'),
  pdf('deep form', trees.deepForm),
  pdf('nested drawings', trees.nestedForms, 'drawings'),
  pdf('tiny tiles', drawings.tinyTiles, 'tiles'),
  pdf('tiny tiles by matrix', drawings.tinyTilesByMatrix, 'tiles'),
  pdf('slow strokes', inflating.slowStrokes),
  pdf('huge picture', inflating.hugePicture, 'picture_size'),
  pdf('1.2 GB behind a pixel', inflating.largeBehindPixel),
  pdf('jpeg of many scans in a pdf', pictures.manyScansInPdf, 'jpeg_scans'),
  hostile('jpeg', 'jpeg of many scans', pictures.manyScans, 'jpeg_scans'),
  hostile('png', 'deep pixels', pictures.deepPixels, 'image_bytes'),
  hostile('tiff', 'a tiff of many pages', pictures.manyPages),
  hostile('tiff', 'a tiff in a circle', pictures.pagesInACircle),
  hostile('tiff', 'a fax without lines', pictures.endlessFax),
  hostile('tiff', 'runs in a tiff', pictures.packBitsBomb),
  hostile('tiff', 'lzw in a tiff', pictures.lzwPicture),
  hostile('gif', 'a gif of noise', pictures.gifOfNoise),
  hostile('bmp', 'a bmp of runs', pictures.bmpOfRuns),
  pdf('cross references in a circle', trees.xrefCycle),
  pdf('a unit of 9 MB', trees.unitFarAway),
  pdf('huge box', drawings.hugeBox),
  pdf('endless box', drawings.endlessBox),
  pdf('huge unit', drawings.hugeUnit),
  docx('zip bomb by ratio', documents.ratioBomb, 'stream_bytes'),
  docx('zip bomb of 900 MB', documents.largeBomb, 'stream_bytes'),
  docx('zip of many bombs', documents.manyBombs, 'unpacked_bytes'),
  docx('zip that lies about a size', documents.lyingSize, 'zip_sizes'),
  docx('zip whose entries overlap', documents.overlap, 'zip_overlap'),
  docx('zip of many entries', documents.manyEntries, 'zip_entries'),
  docx('zip with a name that climbs', documents.climbingName, 'zip_names'),
  docx('zip with one name twice', documents.sameName, 'zip_names'),
  docx('xml entities', documents.entities, 'xml_doctype'),
  docx('xml entity of a file', documents.fileEntity, 'xml_doctype'),
  docx('xml of depth 100,000', documents.deepXml, 'nesting'),
  docx('tables nested 500 deep', documents.deepTables, 'nesting'),
  docx('tables nested 20 deep', documents.twentyTables, 'table_nesting'),
  docx('10,000 tables', documents.manyTables, 'tables'),
  docx('a paragraph of 10 MB', documents.longParagraph, 'text'),
  docx('a paragraph of 400,000 letters', documents.longerParagraph, 'paragraph'),
  docx('a paragraph of 600,000 runs', documents.manyRuns, 'xml_elements'),
  docx('attributes without end', documents.manyAttributes, 'xml_elements'),
  docx('a file that is inserted', documents.inserted, 'inserted_files'),
  docx('a word of 290,000 letters', documents.longWord),
  docx('styles in a circle', documents.circles),
  docx('huge lengths', documents.hugeLengths),
];

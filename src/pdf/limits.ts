// Lists every limit of the work on documents, each with its reason. A file that passes one of the first table is refused before
// a library sees its bytes; the second table bounds the processes that do the work.

const KIB = 1024;
const MIB = 1024 * KIB;

export const DOCUMENT_LIMITS = {
  // --- What is packed in a PDF. A file has at most 10 MB, and Flate packs at most 1032 bytes into one. ---

  // The content of a page, a font, an attachment. Honest ones unpack to three to ten times their size; PDFium holds all
  // of it in memory, and about three times as much for the objects it draws.
  streamBytes: 64 * MIB,
  // Below this size the ratio says nothing: a blank page or a rule repeated thousands of times packs very well.
  ratioCountsFromBytes: 16 * MIB,
  // Drawings of honest programs reach 50. Blanks, and what is made to hurt, reach 1000.
  ratio: 250,
  // All of them together, without pictures: 10 MB of honest streams at six times the usual ratio.
  unpackedBytes: 256 * MIB,
  // Object streams hold dictionaries: half a million objects, the limit below, take about 40 MB.
  objectStreamBytes: 64 * MIB,
  objectStreamsBytes: 128 * MIB,
  // A file this small cannot unpack to more than `streamBytes` with one filter: its streams need not be unpacked to know.
  harmlessFileBytes: 63 * KIB,
  // Honest programs put at most three filters on a stream (text, then Flate, then a picture's own).
  filters: 6,

  // --- What a PDF is made of. ---

  // A tagged document of a thousand pages has about 200,000 objects. PDFium itself stops at four million.
  objects: 500_000,
  // Dictionaries in arrays in dictionaries: honest files stay below 30, PDFium stops at 64, and readers that call
  // themselves for each level run out of stack at some thousands.
  nesting: 500,
  // Dictionaries of streams that are read to find filters and sizes: together no more than three times a whole file.
  dictionariesBytes: 32 * MIB,
  // The longest dictionary of a stream that is read: those of honest files have some hundred bytes.
  dictionaryBytes: 16 * KIB,
  // Bytes read for the values of objects and of keys. A sound file is read once, and a small part of it.
  valueBytes: 64 * MIB,
  // Values of one object: /Kids of a flat page tree is the longest honest one.
  valuesOfObject: 1_000_000,

  // Nodes that a walk from the root meets, counted each time they are named: a hundred times the pages allowed.
  pageTreeNodes: 100_000,
  // A tree in which each node has one page and the next node, at the limit of a thousand pages.
  pageTreeDepth: 1000,
  // What a reader meets in a form. The largest honest forms have some ten thousand fields.
  formFields: 100_000,
  // PDFium goes no deeper into a form.
  formDepth: 32,
  // What one drawing (a form XObject) draws, counted each time it is drawn: PDFium takes
  // 25 microseconds and 5 kB for each.
  drawings: 100_000,
  // PDFium goes no deeper into drawings.
  drawingDepth: 40,
  // Cells of a pattern on one page. On A4 that is a cell of 0.02 points, far below what any printer resolves.
  tilesOfPage: 1_000_000_000,

  // --- Pictures. ---

  // Width × height × bits of a picture in a PDF, unpacked. A poster (A0) in color at 300 dpi has 420 MB, the largest
  // JPEG that may become a page 800 MB; PDFium goes through it row by row.
  pictureBytes: 768 * MIB,
  // What a PNG or a page of a TIFF has when it is unpacked. A screenshot of an 8K screen with transparency has 133 MB.
  pixelBytes: 160 * MIB,
  // Width × height of a picture that becomes a page: photographs of telephones have 12 to 200 megapixels. A JPEG is
  // not unpacked to become a page, only to be drawn.
  imagePixels: 200_000_000,
  // The same of a WebP, GIF or BMP, which are decoded for it at some 12 bytes a pixel: more does not fit into the memory
  // of the child. Photographs that telephones make as WebP have 12 megapixels.
  decodedPixels: 20_000_000,
  // The same of a PNG that is interlaced or has one transparent color, at up to 24 bytes a pixel.
  pngPixels: 9_000_000,
  // Pages of one TIFF: as many as a document may have.
  imagePages: 1000,
  // Pixels per inch of paper that a page has use for, and how many times as many are still left as they are: scaling by
  // less would blur more than it saves.
  neededDensity: 300,
  densityToSpare: 1.2,
  // Programs write progressive JPEGs in 10 scans. Each scan goes over the whole picture again.
  jpegScans: 64,
  // Some encoders write a little more than the picture; the surplus is never read.
  pngSlackBytes: 64 * KIB,

  // --- Text of a page, for selecting and reading aloud. ---

  // A page of small print has 8,000 characters, one of a telephone directory 15,000.
  textCharacters: 30_000,
  // Pieces of text, each with its place: a table of 100 rows and 20 columns has 2,000.
  textRuns: 5000,

  // --- Boxes drawn onto the picture of a page. ---

  // As many as a transaction may have fields.
  marks: 2000,
  // What stands in a box: nothing longer could be read there.
  markTextCharacters: 200,

  // Densities that scanners, cameras and screens have, in pixels per inch.
  densityMin: 10,
  densityMax: 10_000,
  // A fax has 204 × 98 pixels per inch; what differs more was not meant.
  densityRatio: 2.5,

  // --- Pictures of signatures. ---

  // A signature on paper is some centimetres wide: at this density it is sharp in print.
  inkDpi: 300,
  inkPixels: 500_000,
  // What a value of a field may have, in base64 (the service allows 200,000 characters).
  inkBytes: 140 * KIB,

  // --- DOCX: a ZIP of XML. ---

  // A manual with a thousand pictures has a little more than that many parts.
  docxEntries: 4000,
  // One part, unpacked. The text of a book of a thousand pages is 20 MB of XML.
  docxPartBytes: 48 * MIB,
  // All of them, pictures included.
  docxUnpackedBytes: 160 * MIB,
  // XML packs well: large tables reach 60.
  docxRatio: 150,
  docxRatioCountsFromBytes: 4 * MIB,
  // Of all parts that are read. A thousand pages of text have about 300,000; each takes 200 bytes of memory.
  docxElements: 500_000,
  // Of one element. The longest list there is names fifty namespaces.
  docxAttributes: 200,
  // Tables in tables in text boxes: honest files stay below 60.
  docxDepth: 300,
  // Fields in fields: honest files have a few.
  docxFieldDepth: 50,
  docxCharacters: 8_000_000,
  // Marks on one letter: three or four in any language, some dozens in jokes.
  docxMarks: 1000,
  // Of one paragraph: a book of a hundred pages.
  docxParagraph: 300_000,
  // A report made by a program may have a few thousand.
  docxTables: 5000,
  // Tables in tables, which are laid out again for each one around them.
  docxTableDepth: 12,
  // The longest length that means anything, in points: the largest page there is has 14,400.
  docxLength: 4000,
  // As many as a document may have pages.
  docxPages: 1000,
  // Of one document, drawn pictures counted each time they are shown.
  docxPictures: 2000,

  // --- Searching in damaged files. ---

  // PDFium and @cantoo/pdf-lib look at 30 to 100 million bytes a second when they search for the end of something.
  searchBytes: 50_000_000,
  // In a sound file the ways from beginnings to ends add up to less than twice its size.
  searchesOfWholeFile: 4,
  // The second reader takes up to ten microseconds for each byte outside of streams when it is no PDF. All the
  // dictionaries of a document of a hundred pages take less than this.
  looseBytesToRepair: 512 * KIB,
  // Nodes above a page when the second reader walks the tree of a damaged file.
  repairDepth: 100,

  // --- Units of pages (/UserUnit), which are looked for in a copy that PDFium saves. ---

  // Real object streams hold some hundred small objects.
  unitObjectStreamBytes: 16 * MIB,
  unitUnpackedBytes: 64 * MIB,
  unitObjectStreams: 10_000,
  // A unit that is an object of its own is a number.
  unitBytes: 64,
} as const;

export const ENGINE_LIMITS = {
  // --- Time, of processors: what else a machine does changes no verdict on a file. ---

  // Nearly everything is done in a fifth of this. The rest is started again where it delays only slow jobs. Fifty slow
  // pages of one company at the same time must not use up the time that another page may wait.
  quickMs: 500,
  // In all, the quick attempt included. The heaviest pages of real files take two or three.
  timeMs: 10_000,
  // A picture of 200 megapixels is unpacked and packed again in ten.
  convertMs: 20_000,
  // Values into a thousand pages, or a certificate for thirty people: two to five.
  sealMs: 30_000,
  // In addition, for the pictures of two pages for each page that stamping may change: a thousand pages of a form take thirty.
  compareMs: 60_000,
  // Before a start nothing depends on it, and slow pages of others wait meanwhile: a hundred pages of a form.
  compareBeforeStartMs: 20_000,
  // On a clock, how many times as long a child may take: its priority is lowered, so that beside one busy process for each
  // processor it gets a tenth of the time, and a machine may be six times slower than usual. What is still not done says something of
  // the machine, and is answered as busy.
  clockFactor: 60,
  // A child that does not say in this time that it is ready will not.
  startMs: 30_000,
  // A job that has not been started by then is given up: the client would not wait longer either.
  waitMs: 60_000,

  // LibreOffice starts and converts a contract in one or two, and a long report in ten.
  officeMs: 20_000,
  // On a clock, only against one that stands still: a machine with ten times more work than processors needs less.
  officeClockMs: 240_000,

  // --- Memory. The sum of all children and of `serve` stays below 700 MB. ---

  // Beyond what a child has when it is ready.
  quickBytes: 96 * MIB,
  memoryBytes: 256 * MIB,
  // PDFium's own memory, the file included. A page that needs more cannot be shown.
  wasmBytes: 224 * MIB,
  // JavaScript objects, in the units of V8's flag; buffers are not among them.
  heapMegabytes: 192,
  // The memory of WebAssembly never shrinks: a child that holds more than this beyond its start is replaced.
  keptBytes: 64 * MIB,
  // What a child that seals holds beyond that after its first documents: compiled code and fonts. Without it, a child that never grew was
  // replaced every 25 documents, and each start took as much time as 20 seals.
  sealLoadedBytes: 64 * MIB,
  // Addresses, not memory: LibreOffice takes 1.3 GB of them for the smallest document, and uses a sixth of that.
  officeBytes: 4 * 1024 * MIB,
  // Whatever it writes, the PDF included.
  officeFileBytes: 64 * MIB,
  // How often the watchdog of a busy child looks: memory grows by at most a gigabyte a second.
  watchMs: 10,
  watchIdleMs: 1000,

  // --- One-shot commands. ---

  // Larger files are opened by a child: looking at them takes long enough to be noticed at Ctrl-C.
  inProcessBytes: MIB,
  inProcessPixels: 4_000_000,
  // Results that are kept: those of the files that are sent together.
  rememberedResults: 16,

  // --- Plain files, whose pages are not drawn before they are requested. ---

  plainBytes: 4 * MIB,
  plainUnpackedBytes: 4 * MIB,
  plainStreams: 2000,
} as const;

export const READER_LIMITS = {
  // Dictionaries in arrays in dictionaries: as PDFium, which stops at 64; honest files stay below 30.
  nesting: 64,
  // Junk before `%PDF-`: Acrobat looks at the first kilobyte.
  headerBytes: 1024,
  // Behind the last `startxref`: Acrobat wants the end of the file in the last kilobyte.
  tailBytes: 2048,
  // Each time a document is saved anew at its end adds one. A file with a hundred signatures has some hundred.
  sections: 1000,
  // Entries of all sections together. A sound entry is in a table, or names an object: both take some twenty bytes, and only those of free numbers pack
  // to nothing.
  entries: 100_000,
  bytesOfEntry: 20,
  // Bytes read for the values of objects: each once in a sound file, whatever else is read again and again.
  valueBytes: 64 * MIB,
  valueBytesOfFile: 3,
  // All object streams and cross-reference streams together.
  unpackedBytes: 192 * MIB,
  // Entries and places that are read again for each signature and save: some seconds of work. A file with two hundred signatures takes a tenth.
  steps: 12_000_000,
} as const;

/** A file beyond these limits is handed to PDFium, so they are those of ordinary files (`sound-pages.ts`). */
export const SOUND_LIMITS = {
  pages: 1000,
  // Trees of real files are two or three levels deep.
  depth: 16,
  // Each is read, which costs as much as loading PDFium for some thousands of them.
  objects: 1000,
  // A line end or two behind the end of the file.
  blanksAtEnd: 8,
  // Where a linearized file says so.
  headBytes: 1024,
  // Points: large enough for A0.
  coordinate: 4000,
  shortest: 1,
} as const;

/** An empty place is looked for within these limits. What is followed without PDFium is what takes less time than loading it. */
export const SPACE_LIMITS = {
  // A page of small print has some thousand; drawings of plans have hundreds of thousands.
  operators: 20_000,
  contentBytes: MIB,
  // An operator takes at most six; a dictionary or an array counts as one.
  operands: 64,
  savedStates: 200,
  // Forms in forms.
  depth: 8,
  // Of the picture in which the place is looked for otherwise: a pixel has two points.
  dpi: 36,
  pixels: 4_000_000,
  // Words that are named, and characters of each.
  words: 12,
  wordLength: 40,
} as const;

export const FIND_LIMITS = {
  // As many as text of a page that is compared.
  characters: 200_000,
  // Of each query: more places than any document has fields.
  matches: 200,
  // What is shown of the text before and after words that are found.
  excerpt: 24,
  // Of an expression: its time is this times the length of the text.
  programSize: 5000,
  // Matches of an expression that are empty, or parts of words where whole words are wanted.
  vainMatches: 1000,
  // In one job, so that a long document stays within the time of one.
  pagesOfJob: 100,
  // Words that are listed of one job: a hundred pages of small print.
  wordsOfJob: 200_000,
} as const;

export const BLANK_LIMITS = {
  // Of a page: a technical drawing has more, and its lines are not to be written on.
  objects: 20_000,
  segments: 100_000,
  // Drawings inside of drawings.
  depth: 6,
  // Of a page: more than any form for people has.
  lines: 1000,
  blanks: 200,
  // Of tables on a page, empty ones and others.
  cells: 2000,
  // Parties are introduced on the first pages, after a cover and a table of contents.
  firstPages: 5,
} as const;

/** A form is read within these limits. How many fields and levels a reader may meet is among the limits of documents. */
export const FORM_LIMITS = {
  // Several times as many as a transaction may have: those that are not carried over count as well.
  fields: 10_000,
  // Of all fields: one may stand on every page.
  places: 20_000,
  // Of one field. A list of all countries has 250; more than a field may have are not carried over.
  options: 500,
  // Of one value or option: more than a field may have.
  textBytes: 64 * KIB,
  // Of a fully qualified name, and of each name in it. Those of the largest tax forms have some hundred.
  nameCharacters: 1000,
  nameBytes: 1000,
  // Values, options and names of all fields together, as they leave the process that reads them.
  characters: 8 * MIB,
  // The default appearance of a text: a font, its size and a color.
  defaultAppearanceBytes: 1000,
  // Standard scripts are one call.
  scriptCharacters: 2000,
} as const;

/** Texts in double braces are found and removed within these limits. */
export const REMOVAL_LIMITS = {
  // As many as text of a page that is compared.
  characters: 200_000,
  // Of one text: a tag with all of its properties has some hundred.
  tagCharacters: 1000,
  // Of a document: more than a transaction can have fields.
  tags: 5000,
  // Of one page with all of its drawings.
  contentBytes: 16 * MIB,
  // Of all pages, where PDFium is not loaded for them.
  scanBytes: 4 * MIB,
  glyphs: 1_000_000,
  operands: 64,
  savedStates: 500,
  // Drawings in drawings.
  depth: 12,
  // Dictionaries in arrays in dictionaries that are searched for copies of a text.
  nesting: 60,
} as const;

/** Pages of two versions of a file are compared within these limits. */
export const COMPARE_LIMITS = {
  // A letter of six points is eight pixels high: one that differs changes some of them.
  dpi: 96,
  // An A2 page. Larger pages are drawn smaller.
  maxPixels: 4_000_000,
  // As many as text of a page that is read.
  characters: 200_000,
  // Where pages of a tree are listed more often than any document has.
  pages: 20_000,
  // Named of a page because something is drawn over them.
  words: 12,
  // Quoted of what a field shows.
  shownCharacters: 200,
  // Of a stamped page: as recipients see it at first. An A2 page; larger ones are drawn smaller.
  shownDpi: 110,
  shownPixels: 5_000_000,
} as const;

export const VERIFY_LIMITS = {
  // A signed file has up to 10 MB and what was drawn into it; those of others may be larger. It is held in memory whole.
  fileBytes: 256 * MIB,
  // A document that every employee of a large company signs.
  signatures: 200,
  // What the clocks of two timestamp authorities may differ by.
  clockDifferenceMs: 5 * 60 * 1000,
  // Beside one signature: a chain has three or four, and that of its timestamp as many.
  certificates: 100,
  // In one signature: one is usual, and a few where authorities were changed.
  timestamps: 20,
  // Certificates, lists and answers of the store of a document, of each kind.
  validationData: 1000,
  // About how many certificates one OCSP response speaks: servers answer about one.
  answers: 1000,
  revocations: 10_000,
  // Objects and values that are read to judge the changes after all signatures: several times those of the largest document.
  changeSteps: 20_000_000,
  // Dictionaries, arrays and texts on the way from the pages to what they draw: ten times those of a book with a thousand pages.
  dynamicContentSteps: 500_000,
  // Objects and arrays that the appearance of one field uses: its fonts, and what these are made of.
  appearanceObjects: 10_000,
  // The evidence of a transaction with the most fields and recipients has some hundred kilobytes.
  evidenceBytes: 16 * MIB,
  // Metadata of common programs has some kilobytes, with a preview some hundred.
  metadataBytes: MIB,
  // Issuers above a certificate, and certificates of the same name that are tried for it.
  chain: 8,
  chainSignatures: 200,
  // The same for all certificates beside one signature.
  issuersTried: 200,
  // Signatures that are checked for one file, of certificates, lists and answers. Two hundred people sign with five each, at most.
  checks: 4000,
  // Of one value of a name that is shown: the standard allows 64 in a common name.
  nameCharacters: 256,
} as const;

export const FONT_LIMITS = {
  // Of texts that the rules of fonts have laid out, of all fonts together: a character takes about a hundred bytes, a text some hundred
  // more. A book has some 20,000 words.
  laidOutTexts: 40_000,
  laidOutCharacters: 400_000,
  // Fonts of the system that are searched for a character that ours lack. A desktop has some hundred files.
  systemFiles: 2000,
  // A font of the system is copied into PDFium's memory. The largest of Chinese, Japanese and Korean have 25 MB.
  systemFaceBytes: 32 * MIB,
  // Enough to tell which font of the system knows a language.
  charactersCompared: 500,

  // Text of a page that is searched for characters without a font: a page full of small print has 15,000.
  charactersOfPage: 100_000,
  // Fields and notes of a page, and their texts.
  annotationsOfPage: 2000,
  annotationTextBytes: 4096,
  // Reading the text of all pages, when a font is not in the file, in processor time. A page takes two to ten milliseconds.
  missingFontsMs: 2000,
  // Pages that are named, and characters and fonts of each, in remarks.
  remarks: 20,
  textOfRemark: 500,
  nameLength: 60,
  names: 5,
} as const;

export const STAMP_LIMITS = {
  // --- Values in their boxes, in points. ---

  // Where a value begins: as the signing page shows it.
  insetText: 3,
  insetPicture: 2,
  // Of lines that stand under one another, in sizes of the text.
  lineHeight: 1.2,
  // A value that is too long for its box is set smaller, by these steps. Below the floor it cannot be read without a magnifying glass.
  sizeStep: 0.25,
  sizeFloor: 4,
  // A value is never truncated: one that is still too long at the floor gets as small as this, with a remark.
  sizeLeast: 0.5,
  // Of a typed signature, in heights of its box, and at least.
  signatureHeight: 0.7,
  signatureLeast: 6,

  // Characters of values on one page for a browser: their outlines have some 250 bytes each. A form of a hundred fields has 3,000. What is
  // beyond them is in the list of the fields, and is sealed.
  pictureCharacters: 20_000,
  // A value of a few lines is always drawn, and does not count.
  pictureShort: 100,
  // Of one value, and of all on one page that are not short: characters that a font places by its rules, as Arabic and Devanagari. Each
  // takes up to a millisecond, in which no other request is answered.
  pictureShaped: 1000,
  pictureShapedOfAll: 4000,

  // --- What a document may carry along. ---

  // Of a picture of ink: signatures are made with at most a quarter of these.
  inkPixels: 4_000_000,
  // Files in a file that are listed: a portfolio of mails has some hundred.
  attachments: 2000,
  // Nodes of the tree that names them.
  treeNodes: 20_000,
  // Drawings, patterns and masks that one page uses, and how many of them in one another, before it becomes a picture: viewers stop
  // at a hundred in one another, some below.
  drawings: 20_000,
  drawingDepth: 20,
  // Of a page that becomes a picture: as sharp as a scan for print, and an A4 page as a whole.
  redrawnDpi: 200,
  redrawnPixels: 4_000_000,
  // Viewers draw no page with 32,768 notes or more.
  annotations: 30_000,
  // What was removed is counted, and the first of a kind named.
  named: 20,
  nameLength: 100,
} as const;

export const CERTIFICATE_LIMITS = {
  // Of one text on a certificate: names have at most some hundred. What is longer is in the evidence.
  textCharacters: 2000,
  // Of an address in a QR code: more would have modules that no camera tells apart.
  linkCharacters: 500,
  // Of the value of a field: a line or two. A longer one is cut, with its hash; the evidence has all of it.
  valueCharacters: 200,
  // Fields of one person: some five pages of them. The evidence has all.
  values: 200,
  // Removed tags of one document, each on a line. The evidence has all.
  removedTags: 20,
  // Signatures and initials of one person: the signing page makes two, a program may submit another for each field.
  marks: 8,
} as const;

/**
 * `limit` names what was passed: `time`, `memory`, `crash`, or what the check of the bytes has found. `page` counts from 1 and is there
 * where it is known.
 */
export type TooComplex = { ok: false; reason: 'too_complex'; limit: string; page?: number };

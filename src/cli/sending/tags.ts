// Reads the tags of documents, makes fields of them, and removes them from the documents before anything else is done with these.

import { type RemarkFacts, remarkOf } from '../../api/contract/documents.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { sha256Of } from '../../common/sha256.ts';
import type {
  BracedPlace,
  DocumentEngine,
  ListedBraced,
  NotRemovableReason,
} from '../../pdf/engine/engine.ts';
import { roundPoints } from '../../placement/sizes.ts';
import { boxOfTag, readTag } from '../../placement/tags/read-tag.ts';
import type { Tag } from '../../placement/tags/tag.ts';
import { cliError } from '../command/errors.ts';
import { optionNeeds } from '../command/wrong-input.ts';
import {
  convertToPdf,
  documentTooComplex,
  type LocalFile,
  type PageSize,
  type SearchedPdf,
} from '../input/documents.ts';
import type { PlacedField } from '../input/field-spec.ts';
import { fileLabel } from '../input/files.ts';
import type { Addressee } from '../input/person.ts';

type TagSwitches = {
  tags?: boolean | undefined;
  /** Whether --tags comes from the file of the project, which is for documents with and without tags. */
  mayBeMissing: boolean;
};

/** `files`: a Word document with tags has its pages, because it is sent as PDF. */
type TaggedFiles = Pick<TagFields, 'fields' | 'removed'> & {
  files: LocalFile[];
  /** Undefined for files that only the service can convert. */
  pdfs: (TaggedPdf | undefined)[];
};

type TaggedPdf = SearchedPdf & { pages: PageSize[] };

/**
 * Reads the tags of files. Undefined without --tags.
 * @throws CliError exit 2 for a recipient with the role of tags, where no tags are read
 */
export async function readTags(
  { tags: isWanted, mayBeMissing }: TagSwitches,
  to: readonly Addressee[],
  files: readonly LocalFile[],
  documents: DocumentEngine,
): Promise<TaggedFiles | undefined> {
  if (!isWanted) {
    if (to.some(({ tag }) => tag !== undefined)) throw optionNeeds(',tag= in --to', '--tags');
    return undefined;
  }
  const ready: (ReadyFile | undefined)[] = [];
  for (const file of files) ready.push(await readyFile(file, documents));
  const { fields, removed, pdfs } = await readTagFields(
    ready.map((file) => file?.pdf),
    { to, mayBeMissing },
    documents,
  );
  const isSentAsPdf = (index: number) =>
    files[index]?.type === 'pdf' || removed.some(({ document }) => document === index);
  return {
    fields,
    removed,
    pdfs: pdfs.map((pdf, index) =>
      pdf && isSentAsPdf(index) ? { ...pdf, pages: [...pdf.pages] } : undefined,
    ),
    files: files.map((file, index) =>
      file.type === 'docx' && isSentAsPdf(index)
        ? {
            ...file,
            pages: ready[index]?.pdf.pages,
            remarks: [...file.remarks, ...(ready[index]?.remarks ?? [])],
          }
        : file,
    ),
  };
}

type ReadyFile = { pdf: TaggedPdf; remarks: LocalFile['remarks'] };

/** An image has no text. */
async function readyFile(file: LocalFile, documents: DocumentEngine): Promise<ReadyFile | undefined> {
  if (file.type !== 'pdf' && file.type !== 'docx') return undefined;
  return readAsPdf(file, fileLabel(file.path), documents);
}

/** The PDF of a file with the remarks about its conversion. */
export async function readAsPdf(
  file: Pick<LocalFile, 'name' | 'type' | 'sha256' | 'bytes'>,
  subject: string,
  documents: DocumentEngine,
): Promise<ReadyFile> {
  const { name, type, sha256, bytes } = file;
  if (type !== 'docx')
    return { pdf: { name, ...(await convertToPdf(file, subject, documents)) }, remarks: [] };
  const answer = await documents.toPdf({ sha256, bytes: async () => bytes }, type, 'own');
  // The refusal is worded there.
  if (!answer.ok) return { pdf: { name, ...(await convertToPdf(file, subject, documents)) }, remarks: [] };
  const { pdf, pages, remarks } = answer;
  return {
    pdf: { name, pdf, pages, sha256: sha256Of(pdf) },
    remarks: remarks.map((remark: RemarkFacts) => remarkOf(remark)),
  };
}

/** `document`: the position of a file, from 0. These texts are removed from it before it is uploaded. */
export type RemovedTags = { document: number; texts: BracedPlace[] };

type TagFields = {
  fields: PlacedField[];
  removed: RemovedTags[];
  /** The documents without their tags; the others as they were. */
  pdfs: (SearchedPdf | undefined)[];
};

type FoundTag = { tag: Tag; listed: ListedBraced; document: number; name: string };

/**
 * Reads the tags.
 * @param pdfs the documents in their order, undefined for those without text
 * @param to who fills the fields in
 * @throws CliError exit 2 when there is none, when one cannot be honoured, or when one cannot be removed
 */
async function readTagFields(
  pdfs: readonly (SearchedPdf | undefined)[],
  { to, mayBeMissing }: { to: readonly Addressee[]; mayBeMissing: boolean },
  documents: DocumentEngine,
): Promise<TagFields> {
  const tags: FoundTag[] = [];
  for (const [document, pdf] of pdfs.entries())
    if (pdf)
      tags.push(...(await findTags(pdf, documents)).map((tag) => ({ ...tag, document, name: pdf.name })));
  if (tags.length === 0 && !mayBeMissing)
    throw cliError('tags_missing', {
      sentence: noneHasTags(pdfs.flatMap((pdf) => (pdf ? `"${pdf.name}"` : []))),
      hint: 'Remove --tags, or write tags like {{signature, r1}} or {{Name;type=text;role=Customer}}; see `esign help fields`.',
    });
  if (tags.length > LIMITS.fieldsPerTransaction) throw tooManyTags();
  checkRoles(tags, to);
  const read: TagFields = {
    fields: tags.map((tag) => fieldOf(tag, pdfs[tag.document]!, holderOf(tag, tags, to))),
    removed: [],
    pdfs: [...pdfs],
  };
  for (const [document, pdf] of pdfs.entries()) {
    const texts = tags
      .filter((tag) => tag.document === document)
      .map(({ listed: { page, index, text } }): BracedPlace => ({ page, index, text }));
    if (!pdf || texts.length === 0) continue;
    read.removed.push({ document, texts });
    const bytes = await withoutTags(pdf, texts, documents);
    read.pdfs[document] = { ...pdf, pdf: bytes, sha256: sha256Of(bytes) };
  }
  return read;
}

function noneHasTags(documents: readonly string[]): string {
  if (documents.length === 0) return 'No tags can be read, because no PDF or Word document is given.';
  return documents.length === 1
    ? `${documents[0]} has no tags.`
    : `None of these documents has tags: ${documents.join(', ')}.`;
}

const tooManyTags = () =>
  cliError('tags_too_many', {
    sentence: `The documents have more tags than a transaction can have fields, which is ${LIMITS.fieldsPerTransaction}.`,
    hint: 'Split the documents.',
  });

/** @throws CliError exit 2 for a tag that says what cannot be honoured */
async function findTags(
  pdf: SearchedPdf,
  documents: DocumentEngine,
): Promise<{ tag: Tag; listed: ListedBraced }[]> {
  return (await listBraced(pdf, documents)).flatMap((listed) => {
    const tag = readTag(listed.text);
    if (tag.kind === 'refused')
      throw cliError('tag_refused', {
        sentence: `${namedTag({ listed, name: pdf.name })} ${tag.problem}.`,
        hint: 'Correct the tag, or place the field with --field; see `esign help fields`.',
      });
    return tag.kind === 'tag' ? [{ tag, listed }] : [];
  });
}

async function listBraced(
  { name, sha256, pdf, pages }: SearchedPdf,
  documents: DocumentEngine,
): Promise<ListedBraced[]> {
  const source = { sha256, bytes: async () => pdf };
  const answer = await documents.listBraced(source, { from: 0, to: pages.length }, 'own');
  const [unfinished] = answer.ok ? answer.unfinished : [];
  if (unfinished)
    throw cliError('tag_unfinished', {
      sentence: `The end of the tag "${shown(unfinished.text)}" is not on page ${unfinished.page + 1} of "${name}".`,
      hint: 'Put the whole tag on one page, or write }} at its end.',
    });
  if (answer.ok && answer.isCut) throw tooManyTags();
  if (answer.ok) return answer.texts;
  if (answer.reason === 'busy')
    throw cliError('interrupted', { sentence: `Interrupted: the tags of "${name}" were not all read.` });
  throw documentTooComplex(`"${name}"`, answer);
}

/** @returns the PDF without its tags. @throws CliError exit 2 when they cannot be removed, or not alone */
export async function withoutTags(
  { name, sha256, pdf }: Pick<SearchedPdf, 'name' | 'sha256' | 'pdf'>,
  texts: readonly BracedPlace[],
  documents: Pick<DocumentEngine, 'removeBraced'>,
): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await documents.removeBraced({ sha256, bytes: async () => pdf }, texts, 'own');
  if (answer.ok) return new Uint8Array(answer.pdf);
  if (answer.reason === 'busy')
    throw cliError('interrupted', { sentence: `Interrupted: the tags were not removed from "${name}".` });
  if (answer.reason === 'too_complex') throw documentTooComplex(`"${name}"`, answer);
  const { why, page, text, what: where } = answer;
  throw cliError('tags_not_removable', {
    sentence: `${text === undefined ? 'The tags' : `The tag ${shown(text)}`} cannot be removed from ${page === undefined ? '' : `page ${page + 1} of `}"${name}": ${TAG_PROBLEMS[why].why(where ?? '')}.`,
    hint: TAG_PROBLEMS[why].hint,
  });
}

// ── who fills a field in ────────────────────────────────────────────────────────────────────────────────────────

/** Roles are compared without spaces, which a tag has where its lines end. */
const sameRole = (role: string, other: string): boolean =>
  role.replace(/\s+/g, '').toLowerCase() === other.replace(/\s+/g, '').toLowerCase();

const roleOf = ({ tag: { holder } }: FoundTag): string | undefined => {
  if (!holder) return undefined;
  return 'role' in holder ? holder.role : `r${holder.number}`;
};

/** @throws CliError exit 2 for a role that a recipient has and no tag names */
function checkRoles(tags: readonly FoundTag[], to: readonly Addressee[]): void {
  const roles = [...new Set(tags.flatMap((tag) => roleOf(tag) ?? []))];
  for (const { tag } of to)
    if (tag !== undefined && !roles.some((role) => sameRole(role, tag)))
      throw cliError('tag_role_unused', {
        sentence: `No tag is for "${tag}", the role of a recipient.`,
        hint:
          roles.length === 0
            ? 'The tags have no roles. Remove ,tag= from --to.'
            : `The tags have the roles ${roles.map((role) => `"${role}"`).join(', ')}.`,
      });
}

/** @returns the position of the recipient, from 1 */
function holderOf(tag: FoundTag, all: readonly FoundTag[], to: readonly Addressee[]): number {
  const { holder } = tag.tag;
  const role = roleOf(tag);
  const named = role === undefined ? -1 : to.findIndex(({ tag }) => tag !== undefined && sameRole(tag, role));
  if (named !== -1) return named + 1;
  if (holder && 'number' in holder) {
    if (holder.number <= to.length) return holder.number;
    throw cliError('tag_recipient_unknown', {
      sentence: `${namedTag(tag)} is for recipient ${holder.number}, but there ${to.length === 1 ? 'is 1 recipient' : `are ${to.length} recipients`}.`,
      hint: 'Add a recipient with --to. r1 is the first recipient.',
    });
  }
  // The only role is that of the only recipient.
  const roles = all.flatMap((other) => roleOf(other) ?? []);
  const isOnly =
    to.length === 1 && to[0]?.tag === undefined && roles.every((other) => sameRole(other, roles[0]!));
  if (isOnly || (role === undefined && to.length === 1)) return 1;
  if (role === undefined)
    throw cliError('tag_recipient_missing', {
      sentence: `${namedTag(tag)} has no role, and the transaction has ${to.length} recipients.`,
      hint: 'Add role=NAME to the tag, and ,tag=NAME to a --to.',
    });
  throw cliError('tag_recipient_unknown', {
    sentence: `${namedTag(tag)} is for "${role}", and no recipient has this role.`,
    hint: `Add it to a recipient: --to "Ada <ada@example.com>,tag=${role}".`,
  });
}

// ── the field ───────────────────────────────────────────────────────────────────────────────────────────────────

function fieldOf(
  { tag, listed, document, name }: FoundTag,
  pdf: SearchedPdf,
  recipient: number,
): PlacedField {
  const page = pdf.pages[listed.page] ?? { width: 0, height: 0 };
  const box = boxOfTag(tag, listed.boxes, page);
  const points = (length: number) => ({ points: roundPoints(length) });
  return {
    ...{ type: tag.type, page: listed.page, recipient: String(recipient), document: document + 1 },
    properties: tag.properties,
    x: points(box.x),
    y: points(box.y),
    width: points(box.width),
    height: points(box.height),
    tag: shown(listed.text),
    source: `${shown(listed.text)} (page ${listed.page + 1} of ${name})`,
  };
}

/** On one line. */
const shown = (text: string): string => text.replace(/\s+/g, ' ');

const namedTag = ({ listed, name }: { listed: Pick<ListedBraced, 'page' | 'text'>; name: string }): string =>
  `The tag ${shown(listed.text)} on page ${listed.page + 1} of "${name}"`;

/** Why tags stay where they are, as the end of a sentence, and the way out. */
const TAG_PROBLEMS: Record<NotRemovableReason, { why: (where: string) => string; hint: string }> = {
  signed: {
    why: () => 'the document is signed, and any change would make its signature invalid',
    hint: 'Use the document as it was before it was signed, or place fields with --field.',
  },
  encrypted: {
    why: () => 'the document is encrypted',
    hint: 'Save the document without encryption.',
  },
  unreadable: {
    why: () => 'the file is damaged and cannot be written again',
    hint: 'Save the file anew in a PDF program, or place fields with --field.',
  },
  content: {
    why: () => 'the page has content that PDF programs read in different ways',
    hint: 'Export the document to PDF again, or place fields with --field.',
  },
  glyphs: {
    why: () => 'its letters cannot be told apart from the rest of the page',
    hint: 'Export the document to PDF again with its fonts embedded, or place fields with --field.',
  },
  shared: {
    why: () => 'one of its letters shows other text as well',
    hint: 'Put a space before and after the tag, and nothing over it.',
  },
  hidden: {
    why: () => 'it is hidden text over a picture that shows it',
    hint: 'Use the document before it was scanned, or place fields with --field.',
  },
  clip: {
    why: () => 'its letters are filled with a picture or a pattern',
    hint: 'Write the tag in plain letters.',
  },
  copy: {
    why: (where) => `the file has a copy of it in ${where}`,
    hint: 'Remove the copy from the document, and export it again.',
  },
  text: {
    why: (where) => `the text "${where}" would change as well`,
    hint: 'Put the tag in a paragraph of its own, or place fields with --field.',
  },
  picture: {
    why: () => 'the page would look different elsewhere',
    hint: 'Put the tag where nothing is drawn over it, or place fields with --field.',
  },
};

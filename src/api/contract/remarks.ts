// Remarks about an accepted document of which something could not be kept or shown (assumed: A27).
import * as z from 'zod';
import { lazySchema } from './lazy-schema.ts';
import { namesOf, packagesFor, scriptsIn } from './scripts.ts';
import { meaningOf } from './unusable.ts';

export const REMARK_CODES = [
  'approximate_layout',
  'fonts_missing',
  'fonts_replaced',
  'content_not_shown',
  'tracked_changes',
  'fields_not_updated',
  'dynamic_form',
  'already_signed',
  'encrypted_permissions',
  'page_not_drawable',
] as const;

export type RemarkCode = (typeof REMARK_CODES)[number];

/** `page` counts from 0, as everywhere on the wire. */
export const remark = lazySchema(() =>
  z.strictObject({
    code: z.enum(REMARK_CODES),
    message: z.string(),
    page: z.int().min(0).optional(),
  }),
);

/**
 * `what` names what it is about: fonts, a kind of content, how many changes, or the limit that stands against a page. `text` is what a page does
 * not show, for its recipients; it is not on the wire. Both may come from the document.
 */
export type RemarkFacts = {
  code: RemarkCode;
  page?: number | undefined;
  what?: string | undefined;
  text?: string | undefined;
};

const SENTENCES: Record<RemarkCode, (facts: RemarkFacts) => string> = {
  approximate_layout: ({ what }) =>
    `The layout is approximate, because the Word document was converted without LibreOffice${what ? ` and its fonts were replaced (${what})` : ''}. Check the pages. For the exact layout, install LibreOffice or send a PDF.`,
  fonts_replaced: (facts) =>
    `${fontsReplaced(facts)} Check the pages. Install these fonts on the machine of the service, or others of the same width (\`esign doctor\` names them), or send a PDF.`,
  fonts_missing: (facts) =>
    facts.page === undefined
      ? fontsMissing(facts)
      : `${fontsMissing(facts)} Recipients must confirm this before they sign. ${wayOutOf(facts)}`,
  content_not_shown: ({ page, what }) =>
    `${CONTENT[`${what}`] ?? 'Some content'}${onPage(page)} is not shown, because the Word document was converted without LibreOffice. Send a PDF, or install LibreOffice.`,
  tracked_changes: (facts) =>
    `${changesTracked(facts)} To send the final text, accept or reject the changes in Word and upload the file again.`,
  fields_not_updated: (facts) =>
    `${fieldsNotUpdated(facts)} Open it in Word, update all fields (Ctrl+A, then F9), save it and upload it again.`,
  dynamic_form: () =>
    'The file is a dynamic form (XFA). Recipients see only its static pages. To send what the form shows, print it to a new PDF.',
  already_signed: () =>
    'The file already contains signatures. They stay valid in the original, which is kept unchanged. Recipients see them as images.',
  encrypted_permissions: () =>
    'The file restricts printing, copying or changes (owner password). Everyone can read it, so it was accepted.',
  page_not_drawable: ({ page = 0, what }) => `Page ${page + 1} cannot be displayed: ${meaningOf(what)}.`,
};

const changesTracked = ({ what }: RemarkFacts): string =>
  `The Word document has tracked changes${what ? ` (${what})` : ''} that were neither accepted nor rejected. The pages show them as changes: inserted text is underlined, deleted text is struck through.`;

const fontsReplaced = ({ what }: RemarkFacts): string =>
  `Fonts of the Word document were replaced${what ? ` (${what})` : ''}, because they are not installed. Lines and pages may end elsewhere than in Word.`;

const fieldsNotUpdated = ({ what }: RemarkFacts): string =>
  `Some fields of the Word document have not been updated${what ? ` (${what})` : ''}. The pages show what the document has stored for them, or nothing.`;

function fontsMissing({ page, what, text }: RemarkFacts): string {
  if (page === undefined) return 'Further pages may also have text that cannot be displayed.';
  const named = what ? ` (${what})` : '';
  const subject = `Some text${onPage(page)} cannot be displayed, because`;
  if (text === undefined) return `${subject} its font is missing${named}.`;
  const scripts = scriptsIn(text);
  const characters = scripts.length > 0 ? `${namesOf(scripts)} characters` : 'its characters';
  return `${subject} the file lacks its font${named} and no installed font has ${characters}.`;
}

/** A font of the service helps where it is known which characters are lacking. */
function wayOutOf({ text }: RemarkFacts): string {
  if (text === undefined) return 'Send a PDF with embedded fonts.';
  const packages = packagesFor(scriptsIn(text));
  const named = packages.length > 0 ? ` (Debian: ${packages.join(', ')})` : '';
  return `Send a PDF with embedded fonts, or install a font on the machine of the service${named} or in its directory ESIGN_FONTS, and upload the file again.`;
}

const CONTENT: Readonly<Record<string, string>> = {
  chart: 'A chart',
  diagram: 'A diagram',
  shape: 'A shape',
  line: 'A line',
  image: 'An image',
  object: 'An embedded object',
};

const onPage = (page: number | undefined): string => (page === undefined ? '' : ` on page ${page + 1}`);

/** A remark as the wire has it. */
export function remarkOf(facts: RemarkFacts) {
  const { code, page } = facts;
  return { code, message: SENTENCES[code](facts), ...(page !== undefined && { page }) };
}

/** What a remark says on a certificate, where it is too late for another file or font. */
export function recordedRemark(facts: RemarkFacts): string {
  if (facts.code === 'fonts_missing') return fontsMissing(facts);
  if (facts.code === 'fonts_replaced') return fontsReplaced(facts);
  if (facts.code === 'fields_not_updated') return fieldsNotUpdated(facts);
  return facts.code === 'tracked_changes' ? changesTracked(facts) : remarkOf(facts).message;
}

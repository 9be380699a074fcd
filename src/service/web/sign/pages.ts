// Maps the paths of signing pages to pages and files, and checks who may see them and when. Every change checks again whose turn it is.
// The pages themselves stand in the files beside this one.
import { isLanguage } from '../../../api/contract/languages.ts';
import { fileDisposition } from '../../../api/service-codec.ts';
import type { Call, Reply } from '../../../api/transport.ts';
import { parseUrl } from '../../../common/parse-url.ts';
import type { RequestContext } from '../../context.ts';
import { loadPicture } from '../../documents/pages.ts';
import { readMark } from '../../mail/links.ts';
import { saveLanguage, valuesOfOthers } from '../../signing/fill.ts';
import { deliveryOf, recordOpened, recordPagesInView } from '../../signing/record.ts';
import { findRecipientSession, isReadable } from '../../signing/signing-session.ts';
import { findFile, findPage, type StoredPage } from '../../store/documents/files.ts';
import { isWaitingToBeAsked } from '../../store/transactions/signing.ts';
import { headersUntilAvailable, type PageFailure, SIGN_PAGE } from '../paths.ts';
import { saveFields, showDocument, showFieldsAgain, showMoreSheets } from './document-page.ts';
import { showEnd } from './end-page.ts';
import { readSigningForm, refuseForm } from './forms.ts';
import { goTo, plainPage, SAFE_HEADERS } from './layout.ts';
import { showText } from './page-text.ts';
import { showRejection, submitRejection } from './reject-page.ts';
import {
  cookieFor,
  findGuest,
  type Guest,
  kindOfPage,
  linkIn,
  requestPath,
  type SignRequest,
  signRequestOf,
} from './request.ts';
import { notSignedMeanwhile, showProgress, showReview, submitReview } from './review-page.ts';
import { adoptSignature, showSignature } from './signature-page.ts';
import { consent, showStart } from './start-page.ts';
import { staticFile } from './static-files.ts';

type SignPageHandler = (guest: Guest) => Promise<Reply> | Reply;
type ContentHandler = (guest: Guest, name: string) => Promise<Reply> | Reply;

/** The current recipient has these pages; those with `isEarly` come before the consent. */
const PAGES: Record<string, { GET?: SignPageHandler; POST?: SignPageHandler; isEarly?: true }> = {
  '': { GET: showStart, isEarly: true },
  consent: { POST: consent, isEarly: true },
  reject: { GET: showRejection, POST: submitRejection, isEarly: true },
  document: { GET: showDocument },
  sheets: { GET: showMoreSheets },
  fields: { GET: showFieldsAgain },
  values: { POST: saveFields },
  'in-view': { POST: receivePagesInView },
  signature: { GET: showSignature, POST: adoptSignature },
  review: { GET: showReview },
  submit: { POST: submitReview },
};

/**
 * Other pages redirect to these. While a transaction is sealed they redirect nowhere themselves: another node may not know
 * of it, and would redirect back.
 */
const REDIRECTED_TO = new Set(['', 'document', 'review', 'reject']);

export async function answerSignPage(call: Call, url: URL, context: RequestContext): Promise<Reply> {
  const file = staticFile(url.pathname);
  if (file) return file;
  const request = await signRequestOf(call, url, context);
  if (url.pathname === '/sign') return setTokenCookie(request);
  const [, recipientId = '', rest = ''] = SIGN_PAGE.exec(url.pathname) ?? [];
  const link = linkIn(request);
  const visit = link === undefined ? undefined : await findRecipientSession(context, link.token);
  if (!visit || link === undefined || visit.recipient.id !== recipientId)
    return showStrangerPage(request, recipientId);
  return pageFor(await findGuest(request, link, visit), rest);
}

/** Answers a browser when the program failed, or cannot answer now. */
export async function answerSignFailure(
  call: Call,
  url: URL,
  context: RequestContext,
  { requestId, isUnavailable }: PageFailure,
): Promise<Reply> {
  const request = await signRequestOf(call, url, context);
  const { words } = request;
  if (isUnavailable) {
    const text = call.method === 'POST' ? words.unavailableSentLead : words.unavailableLead;
    const page = plainPage(request, { status: 503, title: words.unavailableTitle, text });
    return { ...page, headers: { ...page.headers, ...headersUntilAvailable(call) } };
  }
  return plainPage(request, {
    status: 500,
    title: words.failedTitle,
    text: words.failedLead({ id: requestId }),
  });
}

/** The token goes from the address into a cookie (assumed: A38, A48). */
async function setTokenCookie(request: SignRequest): Promise<Reply> {
  const token = request.url.searchParams.get('token') ?? '';
  const visit = await findRecipientSession(request.context, token);
  const { words } = request;
  if (!visit) return plainPage(request, { status: 404, title: words.linkTitle, text: words.linkLead });
  const { id } = visit.recipient;
  const mark = request.url.searchParams.get('by') ?? undefined;
  const isMark = mark !== undefined && readMark(request.context.store.keys, token, mark) !== undefined;
  return goTo(requestPath(id), cookieFor(request, id, { token, mark: isMark ? mark : undefined }));
}

/** Without the cookie a page shows only what any visitor may know. */
async function showStrangerPage(request: SignRequest, recipientId: string): Promise<Reply> {
  const { words, context } = request;
  const isWaiting = await context.read((db) => isWaitingToBeAsked(db, recipientId));
  return plainPage(request, {
    status: 403,
    title: isWaiting ? words.notYetTitle : words.openMailTitle,
    text: isWaiting ? words.notYetLead : words.openMailLead,
  });
}

/**
 * Answers with files first, which can be read as long as the transaction can. Of the pages, progress comes before all others while a
 * transaction is sealed, then the end for a recipient whose turn it is not, then the consent, and then the page that was requested.
 */
async function pageFor(guest: Guest, rest: string): Promise<Reply> {
  const { call, context, visit } = guest;
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  const [kind = '', name] = rest.split('/');
  const content = method === 'GET' && name !== undefined ? CONTENT.get(kind) : undefined;
  if (content && name !== undefined)
    return isReadable(visit) ? content(guest, name) : showEnd(guest, { status: GONE });
  if (rest === 'language' && method === 'POST') return changeLanguage(guest);
  if (
    visit.situation === 'awaiting_signature' &&
    (await context.submissions.isUnderWay(visit.transaction.id))
  )
    return method === 'GET' && REDIRECTED_TO.has(rest) ? showProgress(guest) : goTo(guest.at());
  const methods = name === undefined ? PAGES[kind] : undefined;
  const page = method === 'GET' || method === 'POST' ? methods?.[method] : undefined;
  if (!methods || !page) return nothingHere(guest);
  // A HEAD request shows nothing to a person.
  if (rest === '' && call.method === 'GET') await recordOpened(context, visit, guest.link);
  if (visit.situation !== 'awaiting_signature') return rest === '' ? showEnd(guest) : goTo(guest.at());
  const notSigned = rest === '' ? notSignedMeanwhile(guest) : undefined;
  if (notSigned) return notSigned;
  if (!methods.isEarly && visit.signing.consented_at === null) return goTo(guest.at());
  return page(guest);
}

const GONE = 410;

const nothingHere = (guest: Guest): Reply =>
  plainPage(guest, {
    status: 404,
    title: guest.words.nothingHereTitle,
    text: guest.words.nothingHereLead,
    guest,
    to: guest.at(),
  });

async function changeLanguage(guest: Guest): Promise<Reply> {
  const sent = await readSigningForm(guest);
  if (!sent.ok) return sent.reply;
  const language = sent.values.get('language');
  if (isLanguage(language)) await saveLanguage(guest.context, guest.visit, language);
  const next = parseUrl(sent.values.get('next') ?? '', guest.origin) ?? guest.url;
  const [, recipientId, rest = ''] = SIGN_PAGE.exec(next.pathname) ?? [];
  const isPage = PAGES[rest]?.GET !== undefined || /^text\/[\w-]+$/.test(rest);
  const isOwnPage = recipientId === guest.visit.recipient.id && isPage;
  return goTo(isOwnPage ? `${guest.at(rest === '' ? undefined : rest)}${kindOfPage(next)}` : guest.at());
}

async function receivePagesInView(guest: Guest): Promise<Reply> {
  const sent = await readSigningForm(guest);
  if (!sent.ok) return sent.reply;
  const recorded = await recordPagesInView(guest.context, guest.token, sent.values.get('pages') ?? '');
  if (recorded.ok) return { status: 204, headers: { ...SAFE_HEADERS }, body: '' };
  if (recorded.refusal.code !== 'validation_failed') return refuseForm(guest, recorded.refusal);
  const { outOfDateTitle: title, outOfDateLead: text } = guest.words;
  return plainPage(guest, { status: 422, title, text, guest, to: guest.at() });
}

// ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Finds a page of the documents of this transaction, and of no other. */
async function findOwnPage({ context, visit }: Guest, id: string): Promise<StoredPage | undefined> {
  const page = await context.read((db) => findPage(db, { id }));
  return page?.template_id === visit.transaction.content.id ? page : undefined;
}

/** `pages/PAGE.png` sends the picture of a page of the documents, as it was sent. */
async function sendPagePicture(guest: Guest, name: string): Promise<Reply> {
  const { call, context, visit, url } = guest;
  const page = await findOwnPage(guest, name.replace(/\.png$/, ''));
  if (!page) return nothingHere(guest);
  const isSent = visit.situation === 'awaiting_signature' && call.method === 'GET';
  const delivery = isSent ? deliveryOf(context, visit, page.id, 'picture') : undefined;
  const scale = url.searchParams.get('scale') === '2' ? 2 : 1;
  const picture = await loadPicture(context, page, scale, delivery);
  if (!picture.ok) return busy(guest);
  return sendContent(picture.output.bytes, 'image/png');
}

async function sendPageText(guest: Guest, id: string): Promise<Reply> {
  const page = await findOwnPage(guest, id);
  return page ? showText(guest, page) : nothingHere(guest);
}

/** `files/DOCUMENT.pdf` sends a document as it was sent. */
async function sendOriginalFile(guest: Guest, name: string): Promise<Reply> {
  const { context, visit } = guest;
  const document = visit.transaction.content.documents.find(({ id }) => `${id}.pdf` === name);
  const file = document && (await context.read((db) => findFile(db, document.file.id)));
  if (!document || !file) return nothingHere(guest);
  return savedAs(
    document.file.original_name,
    await pdfOf(context, file.pdf_sha256, document.file.original_name),
  );
}

/** `sealed/SEALED.pdf` sends a document as it was sealed. There are none before every recipient has signed. */
async function sendSealedFile(guest: Guest, name: string): Promise<Reply> {
  const { context, visit } = guest;
  const sealed = visit.transaction.sealed_documents.find(({ id }) => `${id}.pdf` === name);
  if (!sealed) return nothingHere(guest);
  return savedAs(sealed.name, await pdfOf(context, sealed.sha256, sealed.name));
}

const pdfOf = ({ store }: RequestContext, sha256: string, name: string): Promise<Uint8Array> =>
  store.blobs.get(sha256, `"${name}"`);

function savedAs(name: string, pdf: Uint8Array): Reply {
  const reply = sendContent(pdf, 'application/pdf');
  reply.headers['content-disposition'] = fileDisposition('attachment', name);
  return reply;
}

/** `marks/FIELD.png` sends the signature in a field of this recipient, or of another one who has signed. */
function sendSignaturePicture(guest: Guest, name: string): Reply {
  const id = name.replace(/\.png$/, '');
  const others = valuesOfOthers(guest.visit).find(({ field }) => field.id === id);
  const value = guest.visit.signing.draft.values[id] ?? others?.value;
  const [, base64] = /^data:image\/png;base64,(.+)$/.exec(value ?? '') ?? [];
  return base64 === undefined ? nothingHere(guest) : sendContent(Buffer.from(base64, 'base64'), 'image/png');
}

/** Beside pages, the address of a recipient has documents, their pages as pictures and as text, and signatures below it. */
const CONTENT: ReadonlyMap<string, ContentHandler> = new Map<string, ContentHandler>([
  ['pages', sendPagePicture],
  ['text', sendPageText],
  ['files', sendOriginalFile],
  ['sealed', sendSealedFile],
  ['marks', sendSignaturePicture],
]);

const sendContent = (body: Uint8Array, mediaType: string): Reply => ({
  status: 200,
  headers: { ...SAFE_HEADERS, 'content-type': mediaType },
  body,
});

const busy = (guest: Guest): Reply =>
  plainPage(guest, {
    status: 503,
    title: guest.words.busyTitle,
    text: guest.words.busyLead,
    guest,
    to: guest.at(),
  });

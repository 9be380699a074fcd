// What the signing pages say, in English: the model of the catalogue. Every other language has the same keys, or it does not
// compile. Names, and whatever else comes from outside, arrive isolated (`isolateDirection` in localized.ts).
import { countedIn } from './counted.ts';

const counted = countedIn('en');

export const EN = {
  // ── every page ──
  language: 'Language',
  changeLanguage: 'Change',
  skip: 'Skip to content',
  error: (title: string) => `Error: ${title}`,
  problems: 'Correct the following to continue',
  requiredMark: 'required',
  optionalMark: 'optional',
  filledBySender: 'Filled in by the sender',
  filledAtSigning: (zone: string) => `Date of signing, filled in automatically (time zone: ${zone})`,
  fieldsOfOthers: 'In the fields of others',
  back: 'Back to the documents',
  cancel: 'Cancel',
  stepStart: 'Start',
  stepFill: 'Fill in',
  stepReview: 'Review and sign',
  steps: 'Steps',
  imprint: 'Imprint',
  privacy: 'Privacy notice',

  // ── start ──
  asksYou: (sender: string) => `${sender} asks you to sign`,
  asksYouProxy: (sender: string) => `${sender} asks you to sign on behalf of someone else`,
  from: 'From',
  to: 'To',
  until: 'Sign by',
  noEnd: 'No deadline',
  documents: 'Documents',
  pageCount: (count: number) => counted(count, { one: '# page', other: '# pages' }),
  message: 'Message from the sender',
  description: 'About this request',
  consentTitle: 'Consent to sign electronically',
  consent:
    'I agree to sign these documents electronically. My electronic signature shows that I accept them, as a signature on paper would. I can read and download the documents before I sign. If I do not want to sign electronically, I can reject the request and ask the sender for another way to sign. The time, my IP address and my browser are recorded as evidence.',
  agree: 'I have read this and agree',
  agreeFirst: 'Agree to sign electronically to continue, or reject the request',
  start: 'Continue to the documents',

  // ── document ──
  pageOf: (page: number, count: number) => `Page ${page} of ${count}`,
  download: 'Download as PDF',
  readAsText: 'Read as text',
  noText: 'This page has no text that can be read aloud. Ask the sender what it says.',
  pageBefore: 'Previous page',
  pageAfter: 'Next page',
  yourFields: 'Your fields',
  left: (count: number) =>
    count === 0 ? 'Ready to review' : counted(count, { one: '# field left', other: '# fields left' }),
  nothingToFill:
    'You have no fields to fill in. Read the documents, then continue to approve them as they are.',
  onPage: (page: number, document: string) => `Page ${page}, ${document}`,
  choose: 'Choose',
  chooseOption: 'Choose an option',
  notChosen: 'No selection',
  sign: 'Sign',
  signHere: 'Sign here',
  initialsHere: 'Initial here',
  changeSignature: 'Change',
  removeSignature: 'Remove',
  save: 'Save',
  toReview: 'Review',
  next: 'Next field',
  previous: 'Previous field',
  morePages: 'Show more pages',
  saved: 'Saved',
  saving: 'Saving…',
  notSaved: 'Not saved yet. Check your connection. Saving is retried automatically.',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  zoomFit: 'Fit to width',
  notReached: 'The service cannot be reached. Check your connection and try again.',
  today: 'Today',
  cannotShow: 'Some pages cannot be displayed. Contact the sender before you sign.',
  cannotShowPage: (page: number) => `Page ${page} cannot be displayed. Contact the sender before you sign.`,
  remarks: 'About this document',
  remarkApproximateLayout: 'The layout may differ from the original Word document.',
  remarkContentMissing: (page: number) =>
    `Something on page ${page} of the original Word document is not shown.`,
  remarkContentMissingSomewhere: 'Something in the original Word document is not shown.',
  remarkTrackedChanges:
    'The original Word document has tracked changes. Inserted text is underlined, deleted text is struck through.',
  remarkDynamicForm: 'The original is an interactive form. You see and sign its static pages.',
  remarkAlreadySigned: 'The original already contains signatures. They are shown as images.',

  // ── text that no font of the service has ──
  unshownTitle: 'Text that the pages do not show',
  unshownLead:
    'No font was available for this text, so the pages show gaps or boxes in its place. Read it here. If you do not understand it, ask the sender before you sign.',
  unshownUnreadable: 'This text cannot be read out of the file. Ask the sender what it says.',
  unshownElsewhere: (document: string) =>
    `Other pages of ${document} may also contain text that is not shown. Ask the sender for a file that contains its fonts.`,
  unshownConfirm: 'I know that this text is part of the documents, although the pages do not show it',
  unshownFirst: 'Confirm that you know about the text that the pages do not show',

  // ── signature ──
  signatureTitle: 'Your signature',
  initialsTitle: 'Your initials',
  draw: 'Draw',
  type: 'Type',
  upload: 'Upload an image',
  drawHint: 'Draw with your finger, a stylus or the mouse.',
  clear: 'Clear',
  typeLabel: 'Your name, as you sign it',
  typeInitialsLabel: 'Your initials',
  faceLabel: 'Style',
  face: (number: number) => `Style ${number}`,
  uploadLabel: 'Image file',
  uploadHint: 'PNG, JPEG or another image format, up to 10 MB.',
  adopt: 'Use this signature',
  adoptInitials: 'Use these initials',
  adoptHint: (fields: number) =>
    `${fields === 1 ? 'This fills in the field.' : 'This fills in all matching fields.'} Nothing is signed until you confirm at the end.`,
  signatureMissing: 'Type your name or choose an image',
  pictureUnusable: 'This file cannot be used as a signature. Choose a PNG or JPEG image.',
  pictureTooLarge: 'The file is too large. Choose an image of up to 10 MB.',
  signaturePreview: 'Your signature',
  nothingDrawn: 'Draw your signature first',

  // ── review ──
  reviewTitle: 'Review and sign',
  reviewLead: 'Check your entries. Once you sign, they are final.',
  reviewApprove: 'You approve the documents as they are. Once you sign, this is final.',
  signingAs: 'You sign as',
  yourEntries: 'Your entries',
  empty: 'Left blank',
  checked: 'Checked',
  notChecked: 'Not checked',
  change: 'Change',
  changeField: (label: string) => `Change: ${label}`,
  submit: 'Sign now',
  changedMeanwhile:
    'Your entries have changed since you opened this page, perhaps in another tab. Check them again, then sign.',
  dateChanged:
    'The date has changed since you opened this page, and with it the date of signing in the documents. Check your entries again, then sign.',
  interrupted:
    'The service was interrupted while it processed your signature. Nothing was signed, and your entries are still there. Sign again.',

  // ── reject ──
  reject: 'Reject',
  rejectTitle: 'Reject this request?',
  rejectLead: (sender: string) =>
    `If you reject it, no one can sign these documents anymore, and ${sender} is informed. You cannot undo this.`,
  reason: 'Reason',
  reasonHint: (sender: string) => `${sender} and the other recipients can see the reason.`,
  reasonMissing: 'Enter a reason',
  reasonTooLong: (most: number) =>
    `The reason can have at most ${counted(most, { one: '# character', other: '# characters' })}`,
  rejectNow: 'Reject the request',

  // ── ends ──
  sealingTitle: 'Your signature is being processed',
  sealingLead:
    'The documents are being sealed. This page updates by itself. You are done when it says that you have signed or that everyone has signed.',
  signedTitle: 'You have signed',
  signedLead:
    'Thank you. Other recipients still have to sign. Once they have, you get the signed documents by email. You can close this page.',
  completedTitle: 'Everyone has signed',
  completedLead:
    'All signatures are complete. Download the signed documents and keep them. You get them by email as well.',
  rejectedTitle: 'This request was rejected',
  rejectedByYou: 'You rejected it. These documents can no longer be signed.',
  rejectedBy: (name: string) => `${name} rejected it. These documents can no longer be signed.`,
  cancelledTitle: 'This request was cancelled',
  cancelledBy: (sender: string) => `${sender} cancelled it. These documents can no longer be signed.`,
  expiredTitle: 'This request has expired',
  expiredLead: (sender: string) =>
    `The deadline for signing has passed. Ask ${sender} to send the documents again.`,
  expiredAt: 'Expired',
  signedAt: 'Signed by you',
  sealedDocuments: 'Signed documents',
  originals: 'Original documents',
  given: 'Reason given',

  // ── links that lead nowhere ──
  linkTitle: 'This link does not work',
  linkLead: 'The link may be incomplete. Open the link in the email again, or ask the sender for a new one.',
  openMailTitle: 'Open the link in your email',
  openMailLead:
    'For your security, this page opens only in the browser in which you opened that link. Your browser must accept cookies from this site.',
  notYetTitle: 'It is not your turn yet',
  notYetLead: 'Other recipients sign before you. When it is your turn, you receive an email with a link.',
  outOfDateTitle: 'This page is out of date',
  outOfDateLead: 'Nothing was changed. Open the page again.',
  foreignTitle: 'This form did not come from this site',
  foreignLead: 'For your security, it was not processed. Open the link in your email.',
  tooMuchTitle: 'Your entries are too long',
  tooMuchLead: 'Shorten them and try again.',
  nothingHereTitle: 'Page not found',
  nothingHereLead: 'Open the link in your email again.',
  unavailableTitle: 'The service is not available right now',
  unavailableLead: 'This page reloads automatically in a few seconds.',
  unavailableSentLead: 'Go back in your browser, and try again in a moment.',
  failedTitle: 'Something went wrong',
  failedLead: (id: string) =>
    `Everything saved before is still there. Try again in a moment. If you report the problem, include the request ID ${id}.`,
  busyTitle: 'The service is busy',
  busyLead: 'Everything saved before is still there. Try again in a minute.',
  notSealedTitle: 'The documents could not be completed',
  notSealedLead:
    'Nothing was signed. Everything you filled in is still there, and the sender can see the reason. Try again later, or contact the sender.',
  openAgain: 'Open the page again',

  // ── what is wrong with a value; each names the field by its label ──
  wrongRequired: (label: string) => `Fill in “${label}”`,
  wrongSignature: (label: string) => `Sign “${label}”`,
  wrongTicked: (label: string) => `Select “${label}”`,
  wrongOption: (label: string) => `Choose one of the options for “${label}”`,
  wrongEmail: (label: string) => `Enter an email address in “${label}”, such as name@example.com`,
  wrongDate: (label: string) => `Enter a date in “${label}”`,
  wrongNumber: (label: string, example: string) => `Enter a number in “${label}”, such as ${example}`,
  wrongDrawing: (label: string) => `Sign “${label}” again`,
  verySmall: (label: string) => `“${label}” is very small in the document, because it is long for its box`,
  wrongPattern: (label: string) => `“${label}” is not in the required format`,
  wrongUntestable: (label: string) =>
    `“${label}” cannot be checked. Ask the sender to send the documents again.`,
  wrongMinValue: (label: string, limit: string) => `“${label}” must be at least ${limit}`,
  wrongMaxValue: (label: string, limit: string) => `“${label}” must be at most ${limit}`,
  wrongMinLength: (label: string, count: number) =>
    `“${label}” must have at least ${counted(count, { one: '# character', other: '# characters' })}`,
  wrongCharacters: (label: string, characters: string) =>
    `Remove the characters in “${label}” that cannot be written into the document: ${characters}`,
  wrongMaxLength: (label: string, count: number) =>
    `“${label}” must have at most ${counted(count, { one: '# character', other: '# characters' })}`,

  // ── names of fields without a label ──
  typeText: 'Text',
  typeSignature: 'Signature',
  typeInitials: 'Initials',
  typePersonName: 'Name',
  typeEmail: 'Email',
  typeDate: 'Date',
  typeNumber: 'Number',
  typeCheckbox: 'Checkbox',
  typeSelect: 'Selection',
  typeRadio: 'Choice',
};

type Widened<T> = T extends string ? string : T;

/** A sentence that is missing in a language does not compile. */
export type Words = { readonly [K in keyof typeof EN]: Widened<(typeof EN)[K]> };

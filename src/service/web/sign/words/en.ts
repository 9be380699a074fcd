// What the signing pages say, in English: the model of the catalogue. Every other language has the same keys, or it does not
// compile. Names, and whatever else comes from outside, arrive isolated (`isolated` in language.ts).

const PLURAL = new Intl.PluralRules('en');
const counted = (count: number, one: string, other: string): string =>
  `${count} ${PLURAL.select(count) === 'one' ? one : other}`;

export const EN = {
  // ── every page ──
  language: 'Language',
  changeLanguage: 'Change',
  skip: 'Skip to the content',
  error: 'Error',
  problems: 'Please correct the following',
  requiredMark: 'required',
  optionalMark: 'optional',
  back: 'Back to the document',
  cancel: 'Cancel',
  stepStart: 'Start',
  stepFill: 'Fill in',
  stepReview: 'Review and sign',
  steps: 'Steps',

  // ── start ──
  asksYou: (sender: string) => `${sender} asks you to sign`,
  asksYouProxy: (sender: string) => `${sender} asks you to sign on behalf of somebody else`,
  from: 'From',
  to: 'To',
  until: 'Sign by',
  noEnd: 'No deadline',
  documents: 'Documents',
  pageCount: (count: number) => counted(count, 'page', 'pages'),
  message: 'Message from the sender',
  description: 'About this request',
  consentTitle: 'Signing electronically',
  consent:
    'I agree to sign these documents electronically. My electronic signature shows that I accept them, as a signature on paper would. I can read and download the documents before I sign. If I do not want to sign electronically, I can reject the request, and ask the sender for another way. The time, my IP address and my browser are recorded as evidence.',
  agree: 'I have read this and agree',
  agreeFirst: 'Agree to sign electronically to continue, or reject the request',
  start: 'Continue to the document',

  // ── document ──
  pageOf: (page: number, count: number) => `Page ${page} of ${count}`,
  download: 'Download as PDF',
  readAsText: 'Read as text',
  noText: 'This page has no text that can be read aloud. Ask the sender what it says.',
  pageBefore: 'Previous page',
  pageAfter: 'Next page',
  yourFields: 'Your fields',
  left: (count: number) =>
    count === 0 ? 'Everything is filled in' : `${counted(count, 'field', 'fields')} left`,
  nothingToFill:
    'There is nothing to fill in. Read the documents, then continue to approve them as they are.',
  onPage: (page: number, document: string) => `Page ${page}, ${document}`,
  choose: 'Choose',
  chooseOption: 'Choose…',
  notChosen: 'None',
  sign: 'Sign',
  signHere: 'Sign here',
  initialsHere: 'Add your initials',
  changeSignature: 'Change',
  removeSignature: 'Remove',
  save: 'Save',
  toReview: 'Review',
  next: 'Next field',
  morePages: 'More pages',
  saved: 'Saved',
  saving: 'Saving…',
  notSaved: 'Not saved yet. Check your connection; it is tried again.',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  today: 'Today',
  cannotShow: 'This page cannot be shown. Tell the sender before you sign.',
  remarks: 'About this document',
  remarkApproximateLayout: 'The layout may differ from the original Word document.',
  remarkFontsMissing: (page: number) => `Some text on page ${page} cannot be shown.`,
  remarkFontsMissingSomewhere: 'Some text of this document cannot be shown.',
  remarkDynamicForm: 'The original is an interactive form. You see and sign its static pages.',
  remarkAlreadySigned: 'The original has signatures already. You see them as pictures.',

  // ── signature ──
  signatureTitle: 'Your signature',
  initialsTitle: 'Your initials',
  draw: 'Draw',
  type: 'Type',
  upload: 'Upload a picture',
  drawHint: 'Draw with your finger, a pen or the mouse.',
  clear: 'Clear',
  typeLabel: 'Your name, as you sign it',
  typeInitialsLabel: 'Your initials',
  faceLabel: 'Style',
  face: (number: number) => `Style ${number}`,
  uploadLabel: 'A picture of your signature',
  uploadHint: 'PNG, JPEG or another picture, at most 10 MB.',
  adopt: 'Use this signature',
  adoptInitials: 'Use these initials',
  adoptHint: 'It is put into all fields that ask for it. Nothing is signed before you submit.',
  signatureMissing: 'Type your name, or choose a picture',
  pictureUnusable: 'This file cannot be used as a signature. Choose a PNG or JPEG picture',
  pictureTooLarge: 'The file is too large. Choose a picture with at most 10 MB',
  signaturePreview: 'Your signature',
  nothingDrawn: 'Draw your signature first',

  // ── review ──
  reviewTitle: 'Review, then sign',
  reviewLead: 'Check what you have filled in. When you sign, it is final.',
  reviewApprove: 'You approve the documents as they are. When you sign, it is final.',
  empty: 'Left empty',
  yes: 'Yes',
  no: 'No',
  change: 'Change',
  submit: 'Sign now',
  changedMeanwhile:
    'Something was changed since this page was shown, perhaps in another tab. Check it again, then sign.',

  // ── reject ──
  reject: 'Reject',
  rejectTitle: 'Reject this request?',
  rejectLead: (sender: string) =>
    `${sender} and the others will be told. Nobody can sign these documents any more. This cannot be undone.`,
  reason: 'Reason',
  reasonHint: (sender: string) => `${sender} sees it.`,
  reasonMissing: 'Enter a reason',
  reasonTooLong: (most: number) => `The reason may have at most ${most} characters`,
  rejectNow: 'Reject the request',

  // ── ends ──
  signedTitle: 'You have signed',
  signedLead: 'Thank you. The others are asked to sign now. You can close this page.',
  completedTitle: 'Everybody has signed',
  completedLead: 'The documents are complete.',
  completedNotYou: 'The documents are complete. You can close this page.',
  rejectedTitle: 'This request was rejected',
  rejectedByYou: 'You have rejected it. Nobody can sign these documents any more.',
  rejectedBy: (name: string) => `${name} has rejected it. Nobody can sign these documents any more.`,
  cancelledTitle: 'This request was cancelled',
  cancelledBy: (sender: string) => `${sender} has cancelled it. Nobody can sign these documents any more.`,
  expiredTitle: 'This request has expired',
  expiredLead: (sender: string) => `It could be signed until the time below. Ask ${sender} to send it again.`,
  expiredAt: 'Expired',
  signedAt: 'Signed by you',
  originals: 'The documents as they were sent',
  given: 'Reason given',

  // ── links that lead nowhere ──
  linkTitle: 'This link does not work',
  linkLead:
    'The address may be incomplete. Open the link in the e-mail again, or ask the sender for a new one.',
  openMailTitle: 'Open the link in your e-mail',
  openMailLead: 'This page opens only from the link that was sent to you, in the same browser.',
  notYetTitle: 'It is not your turn yet',
  notYetLead: 'Others sign before you. You will get an e-mail with a link when it is your turn.',
  outOfDateTitle: 'This page was out of date',
  outOfDateLead: 'Nothing was changed. Open the page again.',
  foreignTitle: 'This form came from somewhere else',
  foreignLead: 'For your protection it was not carried out. Open the link in your e-mail.',
  tooMuchTitle: 'Too much was sent',
  tooMuchLead: 'Shorten what you have written and try again.',
  nothingHereTitle: 'There is no such page',
  nothingHereLead: 'Open the link in your e-mail again.',
  failedTitle: 'Something went wrong',
  failedLead: (id: string) =>
    `Nothing was lost. Try again in a moment. If you report it, name the request ${id}.`,
  busyTitle: 'Too much is going on at the moment',
  busyLead: 'Nothing was lost. Try again in a minute.',
  openAgain: 'Open the page again',

  // ── what is wrong with a value; each follows the label of the field ──
  wrongRequired: (label: string) => `Fill in “${label}”`,
  wrongSignature: (label: string) => `Sign “${label}”`,
  wrongTicked: (label: string) => `Tick “${label}”`,
  wrongOption: (label: string) => `Choose one of the options of “${label}”`,
  wrongEmail: (label: string) => `Enter an e-mail address in “${label}”, such as name@example.com`,
  wrongDate: (label: string) => `Enter a date in “${label}”`,
  wrongNumber: (label: string) => `Enter a number in “${label}”`,
  wrongDrawing: (label: string) => `Sign “${label}” again`,
  wrongPattern: (label: string) => `“${label}” does not have the form that is asked for`,
  wrongUntestable: (label: string) =>
    `“${label}” cannot be checked. Ask the sender to send the documents again`,
  wrongMinValue: (label: string, limit: string) => `“${label}” must be at least ${limit}`,
  wrongMaxValue: (label: string, limit: string) => `“${label}” must be at most ${limit}`,
  wrongMinLength: (label: string, count: number) =>
    `“${label}” must have at least ${counted(count, 'character', 'characters')}`,
  wrongMaxLength: (label: string, count: number) =>
    `“${label}” must have at most ${counted(count, 'character', 'characters')}`,

  // ── names of fields without a label ──
  typeText: 'Text',
  typeSignature: 'Signature',
  typeInitials: 'Initials',
  typePersonName: 'Name',
  typeEmail: 'E-mail',
  typeDate: 'Date',
  typeNumber: 'Number',
  typeCheckbox: 'Checkbox',
  typeSelect: 'Selection',
  typeRadio: 'Choice',
};

type Widened<T> = T extends string ? string : T;

/** A sentence that is missing in a language does not compile. */
export type Words = { readonly [K in keyof typeof EN]: Widened<(typeof EN)[K]> };

// Every number of the service, in one place. Rows of spec §8 come first; what the specification leaves open
// names its assumed point.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export const LIMITS = {
  // spec §8
  fileBytes: 10 * 1024 * 1024, // assumed: A26, inclusive
  notificationEndpointLength: 255,
  transactionNameLength: 255,
  webhookNameLength: 255,
  authorizationCodeLifetimeMs: 10 * MINUTE, // spec §5
  codeSentTwiceMs: SECOND, // decision 0001, codes
  refreshTokenSentTwiceMs: MINUTE, // decision 0010
  publicRefreshTokenLifetimeMs: 90 * 24 * HOUR, // decision 0010

  // assumed: A43. Lengths count Unicode code points.
  textLength: 10_000,
  expirationDaysMin: 1,
  // The smallest text that is still set is as high, in points.
  fieldSideMin: 4,
  expirationDaysMax: 3650,
  personNameLength: 255,
  emailLength: 254, // RFC 5321 §4.5.3.1.3
  urlLength: 2048,
  labelLength: 255,
  colorLength: 32,
  regexLength: 500,
  // Together they bound what one attempt costs: some 50 ms in the worst case, and mostly none.
  regexProgramSize: 1000,
  regexValueLength: 1000,
  regexErrorsTold: 20,
  optionsCount: 200,
  fontSizeMax: 200,
  signatureLength: 200_000,
  reasonLength: 2000,
  searchLength: 255,
  tokenLength: 512,
  browserNameLength: 300,

  // assumed: A33
  pageSizeMax: 100,
  pageNumberMax: 1_000_000,

  documentsPerTransaction: 50,
  recipientsPerTransaction: 100,
  fieldsPerTransaction: 2000,
  templatesPerUse: 20,
  pagesPerDocument: 1000,
  // A report about pages that were in view names at most as many: a screen shows fewer.
  pagesInReport: 50,
  // On a certificate, pages of one person that have their own times on a line. The others share one; the evidence has all.
  pagesInViewCertified: 20,
  // On a certificate, emails to one person that asked them to sign. The evidence has all.
  emailsCertified: 5,
  fileNameLength: 255,
  // Statements of a sender's program about a file (files.ts).
  tagLength: 255,
  formBoxes: 20_000,

  jsonBytes: 4 * 1024 * 1024,
  // The body of a request that needs no login, or whose signing link is unknown.
  openBodyBytes: 64 * 1024,
  // All bodies of the process that are being received into memory, and those of one client.
  bodiesBytes: 64 * 1024 * 1024,
  bodiesOfClientBytes: 32 * 1024 * 1024,
  multipartOverheadBytes: 256 * 1024,
  // Pictures of pages: the first for a whole page, the second for a page that is zoomed in and for fine screens.
  pagePngDpi: 110,
  pagePngPixels: 8_000_000,
  sharpPngDpi: 220,
  sharpPngPixels: 16_000_000,
  drawAgainAfterMs: 10 * MINUTE,
  // Longest processor time that one request to start a transaction may spend on drawing pages, and the longest time by the clock, which only
  // ends a drawing that hangs.
  drawBeforeStartMs: MINUTE,
  drawBeforeStartClockMs: 10 * MINUTE,

  accessTokenLifetimeSeconds: 3600, // assumed: A21
  fileTokenLifetimeMs: 24 * HOUR, // assumed: A29
  presignedUrlLifetimeMs: HOUR, // assumed: A28
  idempotencyKeyLifetimeMs: 24 * HOUR, // assumed: A37
  idempotencyKeyLength: 255,

  // Deliveries, decision 0023. assumed: A30
  previousSecretLifetimeMs: 24 * HOUR,
  eventsReplayed: 10_000,
  attemptsShown: 20,

  // Sealing, decision 0018: what an authority on the web may answer, and how long it may take.
  authorityAnswerMs: 15 * SECOND,
  timestampAnswerBytes: 64 * 1024,
  revocationListBytes: 16 * 1024 * 1024,
  revocationListAddresses: 10,

  // One delivery by HTTP, decision 0024: how long all of it may take, and what is read of an answer.
  deliveryMs: 15 * SECOND,
  deliveryAnswerBytes: 20_000,
  deliveryHeadBytes: 16 * 1024,
  deliveryAnswerShown: 1000, // characters
  retryAfterMs: 24 * HOUR,
  connectToNextMs: 1500, // when a name has several addresses
  idleConnectionMs: 4 * SECOND, // less than the 5 s after which many servers close one
  connectionLifetimeMs: MINUTE, // then the name is looked up again
  idleConnectionsPerReceiver: 64,

  // How long a node of a team server goes on once a node of a newer version serves, decision 0044: first for load balancers to notice the newer
  // node (two checks, every two seconds), then for them to notice that this one is not ready (three checks).
  replacedReadyMs: 5 * SECOND,
  replacedNotReadyMs: 7 * SECOND,

  namesPerCertificate: 20,

  // The clock of a sandbox: instants of four-digit years sort as text.
  clockEarliest: '1970-01-01T00:00:00.000Z',
  clockLatest: '9000-01-01T00:00:00.000Z',
  /** The most events that are listed when the clock is moved and they become due. */
  firedListed: 10_000,

  // Faults of a sandbox.
  faults: 100,
  faultCount: 1_000_000,
  faultSeed: 2 ** 32 - 1,
  faultLatencyMs: 365 * 24 * HOUR,
  /** A request waits for real. */
  faultRequestLatencyMs: 10 * MINUTE,
  faultRetryAfterSeconds: 24 * 60 * 60,
  faultBytes: 1024 ** 3,

  // The dashboard, decision 0006.
  passwordLengthMin: 8,
  passwordBytes: 1024,
  formBytes: 64 * 1024,
  stateLength: 4096,
  sessionLifetimeMs: 12 * HOUR,
  signInWindowMs: 15 * MINUTE,
  signInsPerEmail: 10,
  signInsPerAddress: 60,
  knownBrowserLifetimeMs: 180 * 24 * HOUR,
  signInLinkLifetimeMs: 2 * MINUTE,
  transactionsPerPage: 25,
  // A search reads at most as many for one page of results; the next request continues from there.
  transactionsSearched: 5000,
  templatesPerPage: 25,
  webhooksPerPage: 25,
  deliveriesShown: 25,
  eventsShown: 500,
  dayMs: 24 * HOUR, // assumed: A16

  // Mail, decision 0025.
  mailAttachmentBytes: 5 * 1024 * 1024,
  remindEveryMs: HOUR,
  mailsPerPage: 50,
  // Limit of emails that leave for one company.
  mailHourMs: HOUR,
  mailsPerHour: 1000,
  smtpConnectMs: 10 * SECOND,
  smtpIdleMs: 30 * SECOND,
  smtpMs: 45 * SECOND, // less than the lease of a delivery
  smtpAnswerLength: 1000,
} as const;

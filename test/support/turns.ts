// Pairs of long test files that prove promises of the same kind: each landing runs one file of a pair, and the full tier runs both.

/** Both files of a pair take about as long. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['test/browser/dashboard.test.ts', 'test/browser/signing-reload.test.ts'],
  ['test/browser/dashboard-transactions.test.ts', 'test/browser/login.test.ts'],
  ['test/browser/editor-firefox.test.ts', 'test/browser/signing-firefox.test.ts'],
  ['test/browser/signing-languages.test.ts', 'test/service/web/sign/languages.test.ts'],
  ['test/concurrency/processes.test.ts', 'test/concurrency/two-nodes.test.ts'],
  ['test/concurrency/opening.test.ts', 'test/concurrency/two-versions.test.ts'],
  ['test/crash/copying.test.ts', 'test/crash/importing.test.ts'],
  ['test/pdf/images/images.test.ts', 'test/pdf/write/removal/foreign-documents.test.ts'],
  ['test/pdf/text/foreign-words.test.ts', 'test/pdf/words.test.ts'],
  ['test/pdf/read/complexity/complexity.test.ts', 'test/pdf/read/complexity/reader-agreement.test.ts'],
  ['test/security/permissions.test.ts', 'test/security/secret-leaks.test.ts'],
  ['test/service/copies/postgres.test.ts', 'test/service/s3/copying.test.ts'],
  ['test/service/s3/outage.test.ts', 'test/service/s3/start.test.ts'],
  ['test/service/serve/database-trouble.test.ts', 'test/service/serve/failover.test.ts'],
  ['test/service/serve/start.test.ts', 'test/service/serve/workers.test.ts'],
  ['test/service/serve/store-copy.test.ts', 'test/service/serve/team-users.test.ts'],
  ['test/stories/examples.test.ts', 'test/stories/interruption.test.ts'],
  ['test/stories/listen.test.ts', 'test/stories/pipes.test.ts'],
  ['test/stories/questions.test.ts', 'test/stories/wrong-clock.test.ts'],
];

/**
 * The files that a landing leaves to others. Every second pair leaves its first file where the others leave their second one, so that
 * all landings take about as long.
 * @param share the share of the landing (tier.ts)
 */
export const filesOfOtherLandings = (share: number): string[] =>
  PAIRS.flatMap((pair, index) => pair[(share + index) % 2] ?? []);

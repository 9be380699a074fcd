// Reports a run of tests: a line for each group of test files instead of one for each test, failures in full at the end, and what this run
// did not test. Tests of a folder such as `test/service/web` are a group.
import { dirname } from 'node:path';
import type { SerializedError } from 'vitest';
import { DefaultReporter, type TestModule, type TestRunEndReason, type TestSpecification } from 'vitest/node';
import { SLOW_FILES } from './slow-files.ts';
import { SHARE, SLOW, TAKES_TURNS } from './tier.ts';
import { filesOfOtherLandings } from './turns.ts';

/** The reason that tools.ts adds to the end of a title. */
const REASON = /\(skipped: (.+?)\)/;

/** A run of a few files names each of them, as vitest does. */
const FEW_FILES = 10;

/** A landing names files that take longer, because one of them keeps a worker busy while the other has ended. */
const LONG_MS = 60_000;

/** Longer than any file of the short tier takes. */
const WHILE_MS = 10_000;

const GROUP_DEPTH = 3;

type Group = { tests: number; ms: number };

export default class GroupReporter extends DefaultReporter {
  private isLarge = false;

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.isLarge = specifications.length > FEW_FILES;
    super.onTestRunStart(specifications);
  }

  /** A failed file is named as soon as it has ended, and so is one that took a while: a run of half an hour shows that it goes on. */
  protected override printTestModule(module: TestModule): void {
    const { duration } = module.diagnostic();
    if (!this.isLarge || module.state() === 'failed') super.printTestModule(module);
    else if (duration > WHILE_MS) this.log(` ${seconds(duration).padStart(8)}  ${module.relativeModuleId}`);
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    if (this.isLarge) this.log(describeGroups(modules));
    super.onTestRunEnd(modules, unhandledErrors, reason);
    const notes = SLOW
      ? [...missingPrograms(modules), ...longFiles(modules), share()]
      : leftForOtherTiers(modules);
    if (notes.length > 0) this.log(`${notes.join('\n')}\n`);
  }
}

function describeGroups(modules: readonly TestModule[]): string {
  const groups = new Map<string, Group>();
  for (const module of modules) {
    const name = dirname(module.relativeModuleId).split('/').slice(0, GROUP_DEPTH).join('/');
    const group = groups.get(name) ?? { tests: 0, ms: 0 };
    group.tests += [...module.children.allTests()].filter((test) => test.result().state !== 'skipped').length;
    group.ms += module.diagnostic().duration;
    groups.set(name, group);
  }
  const width = Math.max(...[...groups.keys()].map((name) => name.length));
  return [...groups]
    .filter(([, { tests }]) => tests > 0)
    .sort()
    .map(
      ([name, { tests, ms }]) =>
        ` ${name.padEnd(width)}${String(tests).padStart(7)} tests${seconds(ms).padStart(9)}`,
    )
    .join('\n');
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const skippedIn = (modules: readonly TestModule[]) =>
  modules.flatMap((module) => [...module.children.allTests('skipped')]);

function leftForOtherTiers(modules: readonly TestModule[]): string[] {
  const count = skippedIn(modules).length;
  if (count === 0) return [];
  return [
    `Left for the other tiers (npm run test:landing, test:full): ${count} tests here, ${SLOW_FILES.length} files, and most rows of large tables.`,
  ];
}

function share(): string {
  const left = TAKES_TURNS ? ` ${filesOfOtherLandings(SHARE).length} files were left to other landings.` : '';
  return `ESIGN_SHARE=${SHARE} repeats this choice of repetitions, and the seed of random tests.${left}`;
}

function missingPrograms(modules: readonly TestModule[]): string[] {
  const counts = new Map<string, number>();
  for (const { fullName } of skippedIn(modules)) {
    const reason = REASON.exec(fullName)?.[1];
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  return [
    'Not tested on this machine:',
    ...[...counts].sort().map(([reason, count]) => `  ${String(count).padStart(4)} tests: ${reason}`),
  ];
}

function longFiles(modules: readonly TestModule[]): string[] {
  const long = modules
    .map((module) => ({ name: module.relativeModuleId, ms: module.diagnostic().duration }))
    .filter(({ ms }) => ms > LONG_MS)
    .sort((a, b) => b.ms - a.ms);
  if (long.length === 0) return [];
  return [
    `Files that took more than ${LONG_MS / 1000} s:`,
    ...long.map(({ name, ms }) => `  ${seconds(ms).padStart(8)}  ${name}`),
  ];
}

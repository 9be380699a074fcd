// Says at the end of a run which tools were missing, and how many tests were skipped for each.
import type { Reporter, TestModule } from 'vitest/node';

/** As tools.ts writes it into the name of a suite or a test. */
const REASON = /\(skipped: (.+?)\)/;

export default class MissingTools implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = new Map<string, number>();
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) {
        const why = REASON.exec(test.fullName)?.[1];
        if (why !== undefined) skipped.set(why, (skipped.get(why) ?? 0) + 1);
      }
    if (skipped.size === 0) return;
    const lines = [...skipped].sort().map(([why, count]) => `  ${String(count).padStart(4)} tests: ${why}`);
    process.stdout.write(`\nNot tested on this machine:\n${lines.join('\n')}\n`);
  }
}

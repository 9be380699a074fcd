// Reports the skipped tests at the end of a run: in the short tier that the slow tier runs more, in the slow tier which tests lack a program.
import type { Reporter, TestModule } from 'vitest/node';
import { SLOW } from './tier.ts';

/** The reason that tools.ts adds to the end of a title. */
const REASON = /\(skipped: (.+?)\)/;

export default class Skipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    if (skipped.length === 0) return;
    const said = SLOW
      ? missingPrograms(skipped.map(({ fullName }) => fullName))
      : `${skipped.length} more tests take long or need other programs: npm run test:slow\n`;
    if (said !== '') process.stdout.write(`\n${said}`);
  }
}

function missingPrograms(titles: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const title of titles) {
    const reason = REASON.exec(title)?.[1];
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  if (counts.size === 0) return '';
  const lines = [...counts]
    .sort()
    .map(([reason, count]) => `  ${String(count).padStart(4)} tests: ${reason}`);
  return `Not tested on this machine:\n${lines.join('\n')}\n`;
}

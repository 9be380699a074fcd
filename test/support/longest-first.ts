// Runs the files that take longest at a landing first, so that both workers of a run end together: without their times of an earlier run, vitest
// would begin with those that have the most text.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** More than half a minute at a landing, longest first. */
export const LONGEST = [
  'stories/stories',
  'security/hostile-documents',
  'stories/other-stories',
  'crash/sealing',
  'browser/signing',
  'browser/signing-guide',
  'browser/editor',
  'browser/signing-script',
  'stories/storage',
  'stories/code-cache',
  'corpus/corpus',
  'crash/copying',
  'service/serve/checks',
  'service/serve/two-nodes',
  'shell/bash',
  'pdf/read/complexity/complexity',
  'service/store/postgres',
  'service/web/sign/languages',
  'docx/docx',
  'pdf/engine/office',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return rank === -1 ? LONGEST.length : rank;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other));
  }
}

// What layout needs to know wherever it is, and how its files reach each other: blocks hold tables, and tables blocks.

import type { Typesetting } from '../fonts/typesetting.ts';
import type { Strip } from './marks.ts';
import type { Block, NoteKey } from './model.ts';
import type { PageNumbers } from './pieces.ts';

export type LayoutContext = {
  typesetting: Typesetting;
  defaultTab: number;
  /** Room for text on a page: nothing may be higher. */
  pageHeight: number;
  numbers: PageNumbers;
  /** What text stands on. */
  background: string | undefined;
  markOf(note: NoteKey): string;
  layoutBlocks(blocks: readonly Block[], width: number, context: LayoutContext): Strip[];
};

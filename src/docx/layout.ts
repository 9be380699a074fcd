// The context that every file of the layout receives. `layoutBlocks` is part of it because blocks contain tables, and tables blocks.

import type { Typesetting } from '../pdf/fonts/typesetting.ts';
import type { LineBox } from './display-items.ts';
import type { PageNumbers } from './inline-items.ts';
import type { Block, NoteKey } from './model.ts';

export type LayoutContext = {
  typesetting: Typesetting;
  defaultTab: number;
  /** The height of the text area of a page: nothing may be higher. */
  pageHeight: number;
  numbers: PageNumbers;
  /** The background color behind the text. */
  background: string | undefined;
  markOf(note: NoteKey): string;
  layoutBlocks(blocks: readonly Block[], width: number, context: LayoutContext): LineBox[];
};

// Lays blocks out under each other, in a column of a width: paragraphs, tables, text boxes and pictures.

import {
  type DisplayItem,
  type Floating,
  type LayoutContext,
  type LineBox,
  lineBox,
  translated,
} from './display-items.ts';
import { fitting } from './inline-items.ts';
import type { Alignment, Block, Figure, Paragraph, TextBox } from './model.ts';
import { layoutParagraph } from './paragraphs.ts';
import { layoutTable } from './tables.ts';

export function layoutBlocks(blocks: readonly Block[], width: number, context: LayoutContext): LineBox[] {
  const lineBoxes: LineBox[] = [];
  let floating: Floating[] = [];
  const add = (more: readonly LineBox[]) => {
    for (const lineBox of more) {
      lineBoxes.push(
        floating.length > 0 ? { ...lineBox, floating: [...floating, ...lineBox.floating] } : lineBox,
      );
      floating = [];
    }
  };
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'paragraph') {
      const near = { above: paragraphAt(blocks, index - 1), below: paragraphAt(blocks, index + 1) };
      add(layoutParagraph(block, width, context, near));
    } else if (block.kind === 'table') add(layoutTable(block, width, context));
    else if (block.kind === 'box') add(layoutBox(block, width, context));
    else if (block.kind === 'watermark') floating.push(block);
    else if (block.drawing.anchor?.wrap === 'none')
      floating.push({ kind: 'drawing', drawing: block.drawing, isBehind: block.drawing.anchor.isBehind });
    else add([layoutFigure(block, width, context)]);
  }
  if (floating.length > 0) add([lineBox(0)]);
  return lineBoxes;
}

function paragraphAt(blocks: readonly Block[], index: number): Paragraph | undefined {
  const block = blocks[index];
  return block?.kind === 'paragraph' ? block : undefined;
}

const BOX_PADDING = 5;
const BOX_GAP = 4;
const BOX_LINE = 0.5;
const LEAST_BOX = 72;
const GREY = '808080';

/** Lays out a text box: a frame around its blocks, which continue on the next page where one ends. */
function layoutBox(
  { blocks, width: preferredWidth, align, hasFrame }: TextBox,
  width: number,
  context: LayoutContext,
): LineBox[] {
  const boxWidth = Math.min(width, Math.max(Math.min(LEAST_BOX, width), preferredWidth));
  const left = startOf(align, boxWidth, width);
  const inside = context.layoutBlocks(blocks, Math.max(1, boxWidth - 2 * BOX_PADDING), context);
  const laid = inside.map((lineBox) => framed(lineBox, left, boxWidth, hasFrame));
  const edge = (isTop: boolean) =>
    lineBox(BOX_PADDING, [
      ...sidesOf(left, boxWidth, BOX_PADDING),
      line(left, isTop ? 0 : BOX_PADDING, boxWidth),
    ]);
  const top: LineBox = { ...edge(true), before: BOX_GAP, isKeptWithNext: true };
  const bottom: LineBox = { ...edge(false), after: BOX_GAP };
  const last = laid.at(-1);
  if (last) last.isKeptWithNext = true;
  return [top, ...laid, bottom];
}

function framed(lineBox: LineBox, left: number, width: number, hasFrame: boolean): LineBox {
  const height = lineBox.before + lineBox.height + lineBox.after;
  const marks = lineBox.marks.map((mark) => translated(mark, left + BOX_PADDING, lineBox.before));
  const { split } = lineBox;
  return {
    ...lineBox,
    height,
    before: 0,
    after: 0,
    marks: hasFrame ? [...sidesOf(left, width, height), ...marks] : marks,
    split:
      split &&
      ((room) =>
        split(room - lineBox.before)?.map((part) => framed(part, left, width, hasFrame)) as
          | [LineBox, LineBox]
          | undefined),
  };
}

const line = (x: number, y: number, width: number): DisplayItem => ({
  kind: 'bar',
  x,
  y,
  width,
  height: BOX_LINE,
  color: GREY,
});

const sidesOf = (left: number, width: number, height: number): DisplayItem[] =>
  [left, left + width - BOX_LINE].map((x) => ({
    kind: 'bar',
    x,
    y: 0,
    width: BOX_LINE,
    height,
    color: GREY,
  }));

/** Lays out a picture with text above and below it, never beside it. */
function layoutFigure({ drawing }: Figure, width: number, context: LayoutContext): LineBox {
  const fitted = fitting(drawing, { width, height: context.pageHeight });
  const { x } = drawing.anchor ?? {};
  const align: Alignment = x?.align === 'center' || x?.align === 'right' ? x.align : 'left';
  const offset = x?.align === undefined && x?.from !== 'page' ? (x?.offset ?? 0) : 0;
  const left = Math.min(width - fitted.width, Math.max(0, startOf(align, fitted.width, width) + offset));
  const mark: DisplayItem = {
    kind: 'picture',
    x: left,
    y: 0,
    width: fitted.width,
    height: fitted.height,
    drawing: fitted,
  };
  return lineBox(fitted.height, [mark], { after: 2 });
}

const startOf = (align: Alignment, length: number, width: number): number =>
  align === 'center' ? (width - length) / 2 : align === 'right' ? width - length : 0;

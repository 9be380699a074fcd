// How many columns text takes on a terminal, and the start of it that fits. Measured as cli-table3 measures, so that
// both agree: wide characters and emoji take two columns, combining marks none. Characters are never cut in two.

export type Ruler = {
  widthOf(text: string): number;
  /** At most `columns` wide; what was cut off is shown as …. */
  shortened(text: string, columns: number): string;
};

export async function createRuler(): Promise<Ruler> {
  const { strlen } = (await import('cli-table3/src/utils.js')).default;
  const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
  return {
    widthOf: strlen,
    shortened(text, columns) {
      if (strlen(text) <= columns) return text;
      let kept = '';
      let taken = 0;
      for (const { segment } of graphemes.segment(text)) {
        const next = taken + strlen(segment);
        if (next > columns - 1) break;
        kept += segment;
        taken = next;
      }
      return `${kept.trimEnd()}…`;
    },
  };
}

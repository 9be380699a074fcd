// Parses durations as people write them: `30s`, `10m`, `2h`, `1d`. A number without a unit is ambiguous, so it is no duration.

const MS_PER: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @returns milliseconds; undefined where the text is no duration */
export function durationOf(text: string): number | undefined {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(s|m|h|d)$/.exec(text.trim());
  return match ? Math.round(Number(match[1]) * (MS_PER[match[2] ?? ''] ?? Number.NaN)) : undefined;
}

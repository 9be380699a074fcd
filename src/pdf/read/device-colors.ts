// Converts colors of PDF (gray, red-green-blue, inks) to six hexadecimal digits, as drawings here have them.

/** One number is gray, three are red, green and blue, four are inks; undefined for any other count. */
export function hexOfComponents(components: readonly number[]): string | undefined {
  const [a = 0, b = 0, c = 0, d = 0] = components;
  if (components.length === 1) return hexOf([a, a, a]);
  if (components.length === 3) return hexOf([a, b, c]);
  return components.length === 4 ? hexOf([a, b, c].map((ink) => (1 - ink) * (1 - d))) : undefined;
}

const hexOf = (components: readonly number[]): string =>
  components
    .map((part) => Math.round(Math.min(1, Math.max(0, part)) * 255))
    .map((part) => part.toString(16).padStart(2, '0'))
    .join('');

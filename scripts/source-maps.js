// Shortens the source maps of the bundles: of each line of a source that comes in one piece, the place of its beginning stays. Stacks
// then still name file and line, and the maps, which nothing else reads, are a third as large.

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...DIGITS].map((digit, value) => [digit, value]));
const MORE = 32;

/** Numbers as in `mappings` of a source map: five bits in a digit, the lowest first, of which the first one is the sign. */
function numbersIn(text) {
  const numbers = [];
  let [bits, shift] = [0, 0];
  for (const digit of text) {
    const value = VALUES.get(digit);
    bits |= (value & (MORE - 1)) << shift;
    shift += 5;
    if (value & MORE) continue;
    numbers.push(bits & 1 ? -(bits >>> 1) : bits >>> 1);
    [bits, shift] = [0, 0];
  }
  return numbers;
}

function digitsOf(number) {
  let bits = number < 0 ? (-number << 1) | 1 : number << 1;
  let digits = '';
  do {
    const rest = bits >>> 5;
    digits += DIGITS[(bits & (MORE - 1)) | (rest > 0 ? MORE : 0)];
    bits = rest;
  } while (bits > 0);
  return digits;
}

/** @param map a source map (version 3), whose segments say how far each number is from that of the segment before */
export function withLinesOnly(map) {
  const place = [0, 0, 0];
  let written = [0, 0, 0];
  const rows = map.mappings.split(';').map((row) => {
    let [at, writtenAt, line] = [0, 0, ''];
    return row.split(',').flatMap((segment) => {
      const [distance = 0, ...toPlace] = numbersIn(segment);
      at += distance;
      if (toPlace.length === 0) return [];
      for (const index of place.keys()) place[index] += toPlace[index];
      const [source, sourceLine] = place;
      if (line === `${source} ${sourceLine}`) return [];
      line = `${source} ${sourceLine}`;
      const digits = [at - writtenAt, ...place.map((number, index) => number - written[index])].map(digitsOf);
      writtenAt = at;
      written = [...place];
      return [digits.join('')];
    });
  });
  return { ...map, names: [], mappings: rows.map((row) => row.join(',')).join(';') };
}

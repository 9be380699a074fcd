// Finds the connected regions of a picture that are not transparent, in a time that grows with its pixels.

export type Region = {
  left: number;
  top: number;
  right: number;
  bottom: number;
  pixels: number;
  /** Pixels with a transparent neighbor. */
  edge: number;
  /** True if it reaches the edge of the picture. */
  touchesEdge: boolean;
  /** Makes its pixels transparent. */
  clear(): void;
};

/** @param rgba four bytes for each pixel, the last of which is 0 where it is transparent */
export function regionsOf(rgba: Uint8Array, width: number, height: number): Region[] {
  const isSeen = new Uint8Array(width * height);
  const regions: Region[] = [];
  for (let start = 0; start < isSeen.length; start += 1)
    if (isSeen[start] === 0 && rgba[start * 4 + 3] !== 0)
      regions.push(regionFrom(start, { rgba, width, height, isSeen }));
  return regions;
}

type Picture = { rgba: Uint8Array; width: number; height: number; isSeen: Uint8Array };

function regionFrom(start: number, { rgba, width, height, isSeen }: Picture): Region {
  const members = [start];
  isSeen[start] = 1;
  let [left, top, right, bottom, edge] = [width, height, 0, 0, 0];
  for (let next = 0; next < members.length; next += 1) {
    const at = members[next]!;
    const [x, y] = [at % width, Math.floor(at / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
    let isEdge = false;
    for (let dy = -1; dy <= 1; dy += 1)
      for (let dx = -1; dx <= 1; dx += 1) {
        if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
        const neighbor = at + dy * width + dx;
        if (rgba[neighbor * 4 + 3] === 0) isEdge = true;
        else if (isSeen[neighbor] === 0) {
          isSeen[neighbor] = 1;
          members.push(neighbor);
        }
      }
    if (isEdge) edge += 1;
  }
  return {
    ...{ left, top, right, bottom, edge: Math.max(1, edge), pixels: members.length },
    touchesEdge: left === 0 || top === 0 || right === width - 1 || bottom === height - 1,
    clear() {
      for (const at of members) rgba.fill(0, at * 4, at * 4 + 4);
    },
  };
}

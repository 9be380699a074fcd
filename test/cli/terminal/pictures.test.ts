// Pictures in a terminal: which terminals get any, and that what is written is the picture, whole, and nothing else.
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../../src/cli/command/settings.ts';
import {
  type PictureProtocol,
  pictureProtocolOf,
  pictureViewer,
} from '../../../src/cli/terminal/pictures.ts';
import { createTerminal } from '../../../src/cli/terminal/terminal.ts';
import { encodePng } from '../../../src/pdf/render/render.ts';

describe('which terminals show pictures', () => {
  test.each<[Record<string, string>, PictureProtocol | undefined]>([
    [{ TERM: 'xterm-kitty' }, 'kitty'],
    [{ TERM: 'xterm-256color', KITTY_WINDOW_ID: '1' }, 'kitty'],
    [{ TERM: 'xterm-ghostty' }, 'kitty'],
    [{ TERM: 'xterm-256color', TERM_PROGRAM: 'ghostty' }, 'kitty'],
    [{ TERM: 'xterm-256color', KONSOLE_VERSION: '230804' }, 'kitty'],
    [{ TERM: 'xterm-256color', KONSOLE_VERSION: '200400' }, undefined],
    [{ TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }, 'iterm'],
    [{ TERM: 'xterm-256color', LC_TERMINAL: 'iTerm2' }, 'iterm'],
    [{ TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' }, 'iterm'],
    [{ TERM: 'xterm', TERM_PROGRAM: 'mintty' }, 'iterm'],
    [{ TERM: 'foot' }, 'sixel'],
    [{ TERM: 'foot-extra' }, 'sixel'],
    [{ TERM: 'mlterm' }, 'sixel'],
    [{ TERM: 'xterm-sixel' }, 'sixel'],
    [{ TERM: 'footloose' }, undefined],
    [{ TERM: 'xterm-256color' }, undefined],
    [{ TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal' }, undefined],
    [{ TERM: 'dumb', KITTY_WINDOW_ID: '1' }, undefined],
    // What stands outside is still in the environment inside.
    [{ TERM: 'tmux-256color', KITTY_WINDOW_ID: '1' }, undefined],
    [{ TERM: 'xterm-kitty', TMUX: '/tmp/tmux-0/default,1,0' }, undefined],
    [{ TERM: 'screen.xterm-256color', LC_TERMINAL: 'iTerm2' }, undefined],
    [{ TERM: 'xterm-kitty', STY: '1.pts' }, undefined],
    [{}, undefined],
  ])('%j: %s', (variables, protocol) => {
    expect(pictureProtocolOf(variables)).toBe(protocol);
  });
});

/** Red, green, blue and gray quarters. */
async function quarters(width: number, height: number): Promise<Uint8Array> {
  const rgbx = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const part = (y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1);
      const color = [
        [255, 0, 0],
        [0, 255, 0],
        [0, 0, 255],
        [153, 153, 153],
      ][part]!;
      rgbx.set([...color, 255], (y * width + x) * 4);
    }
  return encodePng(rgbx, width, height);
}

const written = (
  protocol: PictureProtocol,
  png: Uint8Array,
  caption = 'contract.pdf, page 1',
  columns = 60,
) => {
  const parts: string[] = [];
  const out = {
    isTerminal: true,
    columns,
    write: (text: string | Uint8Array) => void parts.push(String(text)),
  };
  pictureViewer(protocol, out).show(png, caption);
  return parts.join('');
};

test('kitty: pieces that are no longer than allowed, which make the PNG, and no answer is asked for', async () => {
  const png = Uint8Array.from({ length: 10_000 }, (_, index) => (index * 31) & 0xff);
  const text = written('kitty', png);
  const pieces = [...text.matchAll(/\u001b_G([^;]*);([^\u001b]*)\u001b\\/g)];
  expect(pieces.map(([, keys]) => keys)).toEqual(['a=T,f=100,q=2,c=60,m=1', 'm=1', 'm=1', 'm=0']);
  expect(Math.max(...pieces.map(([, , data = '']) => data.length))).toBe(4096);
  expect(Buffer.from(pieces.map(([, , data]) => data).join(''), 'base64')).toEqual(Buffer.from(png));
  expect(text.replace(/\u001b_G[^\u001b]*\u001b\\/g, '')).toBe('contract.pdf, page 1\n\n');
});

test('iTerm2: the PNG, with its size, as wide as the terminal and no wider than eighty columns', async () => {
  const png = Uint8Array.from({ length: 5000 }, (_, index) => (index * 31) & 0xff);
  const [, keys, data] =
    /\u001b\]1337;File=([^:]*):([^\u0007]*)\u0007\n$/.exec(written('iterm', png, 'a', 200)) ?? [];
  expect(keys).toBe('inline=1;size=5000;width=80;preserveAspectRatio=1');
  expect(Buffer.from(data ?? '', 'base64')).toEqual(Buffer.from(png));
});

/** Reads sixels as a terminal does. */
function readSixels(text: string) {
  const [, width = 0, height = 0, body = ''] = /^\u001bPq"1;1;(\d+);(\d+)(.*)\u001b\\$/s.exec(text) ?? [];
  const pixels = new Map<string, string>();
  const palette = new Map<string, string>();
  let [x, y, color, times] = [0, 0, '', 1];
  for (const [part, number, red, green, blue, , repeat] of body.matchAll(
    /#(\d+)(?:;2;(\d+);(\d+);(\d+))?|(!(\d+))|[?-~$-]/g,
  )) {
    if (red !== undefined) palette.set(number!, [red, green, blue].join());
    else if (number !== undefined) color = palette.get(number)!;
    else if (repeat !== undefined) times = Number(repeat);
    else if (part === '$') x = 0;
    else if (part === '-') [x, y] = [0, y + 6];
    else {
      for (; times > 0; times -= 1, x += 1)
        for (let bit = 0; bit < 6; bit += 1)
          if ((part.charCodeAt(0) - 63) & (1 << bit)) pixels.set(`${x},${y + bit}`, color);
      times = 1;
    }
  }
  return { width: Number(width), height: Number(height), pixels };
}

test.each([
  [20, 16, 20, 16],
  // Every second pixel, so that it is no wider than 640.
  [1240, 100, 620, 50],
])('sixel: %i × %i becomes %i × %i', async (width, height, shownWidth, shownHeight) => {
  const text = written('sixel', await quarters(width, height), 'a');
  const shown = readSixels(text.slice('a\n'.length, -1));
  expect([shown.width, shown.height]).toEqual([shownWidth, shownHeight]);
  expect(shown.pixels.size).toBe(shownWidth * shownHeight);
  const at = (x: number, y: number) =>
    shown.pixels.get(`${Math.floor(x * shownWidth)},${Math.floor(y * shownHeight)}`);
  expect([at(0, 0), at(0.99, 0), at(0, 0.99), at(0.99, 0.99)]).toEqual([
    '100,0,0',
    '0,100,0',
    '0,0,100',
    '60,60,60',
  ]);
});

test('sixel: a page without color', async () => {
  const rgbx = Uint8Array.from({ length: 12 * 12 * 4 }, (_, index) => (index < 12 * 6 * 4 ? 0 : 255));
  const { pixels } = readSixels(written('sixel', await encodePng(rgbx, 12, 12), 'a').slice(2, -1));
  expect([pixels.get('0,0'), pixels.get('0,11')]).toEqual(['0,0,0', '100,100,100']);
});

test('what a document is called moves no cursor', async () => {
  const text = written('iterm', new Uint8Array(3), 'a\u001b]0;x\u0007\u202eb.pdf, page 1');
  expect(text.slice(0, text.indexOf('\n'))).toBe('a\\u{1b}]0;x\\u{7}\\u{202e}b.pdf, page 1');
});

describe('the terminal of a command', () => {
  const terminalOf = (isTerminal: boolean, variables: Record<string, string>) => {
    const sink = { isTerminal, columns: 80, write: () => undefined };
    return createTerminal({
      settings: { color: 'auto' } as Settings,
      streams: { out: sink, err: sink, isInputTerminal: false, input: () => (async function* () {})() },
      environment: { variables } as never,
      isCi: false,
      abort: new AbortController().signal,
    });
  };

  test.each([
    ['a terminal that can', true, { TERM: 'xterm-kitty' }, true],
    ['a terminal that cannot', true, { TERM: 'xterm' }, false],
    ['a pipe of a terminal that can', false, { TERM: 'xterm-kitty' }, false],
  ])('%s', async (_, isTerminal, variables, can) => {
    expect((await (await terminalOf(isTerminal, variables)).pictures()) !== undefined).toBe(can);
  });
});

// Shows pictures in a terminal that is known to support them. It recognizes the terminal by the environment, and never queries
// it, because its answer could appear as typed text.
import type { Variables } from '../../config/environment.ts';
import { safeText } from './safe-text.ts';
import { sixelOf } from './sixel.ts';
import type { Sink } from './streams.ts';

export type PictureViewer = {
  /** @param png as this program draws them */
  show(png: Uint8Array, caption: string): void;
};

export type PictureProtocol = 'kitty' | 'iterm' | 'sixel';

/** Konsole shows pictures by kitty's protocol since this version. */
const KONSOLE = 220400;

/** Chooses the protocol. Undefined for a terminal that is not known to show pictures; tmux and screen do not pass them on. */
export function pictureProtocolOf(variables: Variables): PictureProtocol | undefined {
  const { TERM = '', TERM_PROGRAM, LC_TERMINAL, KITTY_WINDOW_ID, KONSOLE_VERSION, TMUX, STY } = variables;
  if (TMUX || STY || /^(tmux|screen|dumb)/.test(TERM)) return undefined;
  if (KITTY_WINDOW_ID || TERM === 'xterm-kitty' || TERM === 'xterm-ghostty') return 'kitty';
  if (TERM_PROGRAM === 'ghostty' || Number(KONSOLE_VERSION) >= KONSOLE) return 'kitty';
  if (TERM_PROGRAM === 'iTerm.app' || LC_TERMINAL === 'iTerm2') return 'iterm';
  if (TERM_PROGRAM === 'WezTerm' || TERM_PROGRAM === 'mintty') return 'iterm';
  return /^(foot|mlterm)(-|$)/.test(TERM) || TERM.includes('sixel') ? 'sixel' : undefined;
}

export function pictureViewer(protocol: PictureProtocol, out: Sink): PictureViewer {
  const drawn = { kitty, iterm, sixel: (png: Uint8Array) => sixelOf(png, SIXEL_WIDTH) }[protocol];
  return {
    show(png, caption) {
      const columns = Math.min(out.columns ?? WIDEST, WIDEST);
      out.write(`${safeText(caption)}\n`);
      out.write(`${drawn(png, columns)}\n`);
    },
  };
}

/** The width in columns. A wider page would be higher than any window. */
const WIDEST = 80;
/** Eighty columns of eight pixels. */
const SIXEL_WIDTH = 640;
/** The length of one piece in characters: the most that the protocol allows. */
const KITTY_PIECE = 4096;

/** Writes a picture for kitty. `q=2` suppresses the answer of the terminal, which would appear on the next command line. */
function kitty(png: Uint8Array, columns: number): string {
  const data = Buffer.from(png).toString('base64');
  const pieces = data.match(new RegExp(`.{1,${KITTY_PIECE}}`, 'g')) ?? [''];
  return pieces
    .map((piece, index) => {
      const isLast = index === pieces.length - 1;
      const head = index === 0 ? `a=T,f=100,q=2,c=${columns},` : '';
      return `\u001b_G${head}m=${isLast ? 0 : 1};${piece}\u001b\\`;
    })
    .join('');
}

function iterm(png: Uint8Array, columns: number): string {
  const size = `size=${png.length};width=${columns};preserveAspectRatio=1`;
  return `\u001b]1337;File=inline=1;${size}:${Buffer.from(png).toString('base64')}\u0007`;
}

// The picture of `tx show` that the README has: `npm run screens -- DIR`. It is compared with nothing.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { openTerminal } from '../support/command-line/terminal.ts';
import { createStoryFixture, runCommand } from '../support/stories/story.ts';

const FOLDER = process.env.ESIGN_SCREENS ?? '';
const SIZE = { columns: 100, rows: 26 };

describe.skipIf(FOLDER === '')('pictures of', () => {
  test('show the terminal, for README', { timeout: 240_000 }, async () => {
    await mkdir(FOLDER, { recursive: true });
    const fixture = await createStoryFixture();
    await runCommand(
      fixture,
      'esign tx send contract.pdf --name "Office lease 2027" --to "Ada Lovelace <ada@example.com>" --to "Grace Hopper <grace@example.com>" --quiet',
    );
    const terminal = await openTerminal({ ...SIZE, env: fixture.env, folder: fixture.folder });
    await terminal.type('clear; esign tx show @ --quiet');
    await terminal.press('Enter');
    await terminal.until(/^sent /m);
    const screen = await terminal.screen(true);
    await terminal.close();
    await fixture.close();
    const browser = await launchChromium();
    const page = await browser.newPage({ viewport: { width: 860, height: 600 }, deviceScaleFactor: 1.5 });
    await page.setContent(pageOf(screen));
    await page.locator('pre').screenshot({ path: join(FOLDER, 'tx-show.png') });
    await browser.close();
  });
});

/** The screen as a page. Of escape codes only those that change how letters look are there. */
function pageOf(screen: string): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  let [isBold, isFaint, color] = [false, false, ''];
  const pieces = screen.replace(/\n+\$ *\n*$/, '\n').split(/\u001b\[([\d;]*)m/);
  const html = pieces.map((piece, index) => {
    if (index % 2 === 0) {
      const style = `${isBold ? 'font-weight:700;' : ''}${isFaint ? 'opacity:.65;' : ''}${color}`;
      return style === '' ? escaped(piece) : `<span style="${style}">${escaped(piece)}</span>`;
    }
    const codes = piece === '' ? [0] : piece.split(';').map(Number);
    if (codes[0] === 38) color = 'color:#4ec9b0;';
    if (codes[0] === 0 || codes[0] === 39) color = '';
    if (codes.includes(0) || codes.includes(22)) [isBold, isFaint] = [false, false];
    if (codes.includes(1)) isBold = true;
    if (codes.includes(2) && codes[0] !== 38) isFaint = true;
    return '';
  });
  return `<pre style="font:14px/1.5 monospace;color:#e6e6e6;background:#1e2227;padding:20px;margin:0;border-radius:8px;width:fit-content">${html.join('')}</pre>`;
}

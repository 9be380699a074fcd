// Questions at a real terminal: asked on stderr, broken off with the exit code of an interruption, and without a
// single color where none is wanted.
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTerminal, type Terminal } from '../support/command-line/terminal.ts';
import { docxOf, paragraph, run } from '../support/documents/docx.ts';
import { leasePdf } from '../support/documents/lease-pdf.ts';
import { createStoryFixture, runCommand, type StoryFixture } from '../support/stories/story.ts';
import { needsCommand } from '../support/tools.ts';

const tmux = needsCommand('tmux');

let fixture: StoryFixture;
let terminal: Terminal | undefined;

beforeEach(async () => {
  fixture = await createStoryFixture();
});

afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
  await fixture.close();
});

async function at(columns: number, env: Record<string, string> = {}): Promise<Terminal> {
  terminal = await openTerminal({ columns, folder: fixture.folder, env: { ...fixture.env, ...env } });
  return terminal;
}

async function enter(terminal: Terminal, line: string): Promise<void> {
  await terminal.type(line);
  await terminal.press('Enter');
}

/** Answers the offer of the fields of contract.pdf, where a confirmation follows. */
async function declineFields(terminal: Terminal): Promise<void> {
  await terminal.until(/ {2}Add them\n {2}Continue without them\n› Add them and edit in the browser/);
  await terminal.press('Up', 'Enter');
}

/** The offer of the fields of a lease: Enter alone opens the editor. */
const OFFER =
  /\? Add these 5 fields\?\n {2}Add them and send\n {2}Send without them\n› Add them and edit in the browser\n {2}Stop/;

describe.skipIf(tmux.skip)(`a question${tmux.why}`, () => {
  test.each(['C-c', 'C-d'])(
    'broken off with %s is an interruption, and the terminal is as before',
    async (key) => {
      const terminal = await at(80);
      await enter(
        terminal,
        'stty -g > before; esign webhooks create --event transaction_completed; echo "code=$?"; stty -g | cmp - before && echo same',
      );
      await terminal.until(/\? Name/);
      await terminal.press(key);
      const screen = await terminal.until(/^same$/m);
      expect(screen).toMatch(/^error: Interrupted\. \(interrupted\)$/m);
      expect(screen).toMatch(/^code=130$/m);
    },
  );

  test('stands on stderr, without color where none is wanted', async () => {
    const terminal = await at(80);
    await enter(terminal, 'esign webhooks create --event transaction_completed --color never');
    await terminal.until(/\? Name/);
    await terminal.press('Enter');
    await terminal.until(/> You must/);
    expect(await terminal.screen(true)).not.toContain('\u001b[');
    await terminal.press('C-c');
    // A line that is typed before the shell reads again may be lost.
    await terminal.until(/\(interrupted\)\n\$/);
    await enter(terminal, 'clear; esign webhooks create --event transaction_completed > out; wc -c < out');
    // The question before may still be on the screen.
    await expect.poll(() => terminal.screen(true), { timeout: 15_000 }).toMatch(/\u001b\[1m\S*Name/);
    await terminal.press('C-c');
    await terminal.until(/^0$/m);
  });

  test('tx send asks for documents, recipients and confirmation; then it is sent', async () => {
    const terminal = await at(80);
    await enter(terminal, 'esign tx send; echo "code=$?"');
    await terminal.until(/› contract\.pdf/);
    await terminal.press('Enter');
    await terminal.until(/First signer \("Name <email>"\)$/m);
    await enter(terminal, 'Ada');
    await terminal.until(/> "Ada" is not a valid email address/);
    await terminal.press('C-u');
    await enter(terminal, 'Ada <ada@example>');
    await terminal.until(/> "ada@example" has a domain without a dot/);
    await terminal.press('C-u');
    await enter(terminal, 'Eve <ada@example.com>');
    await terminal.until(/leave empty to continue\)$/m);
    await terminal.press('Enter');
    await declineFields(terminal);
    // There is a way back to an answer.
    await terminal.until(/› Yes\n {2}Change the documents\n {2}Change the signers\n {2}No/);
    await terminal.press('Down', 'Down', 'Enter');
    // The earlier answer is the default.
    await terminal.until(
      /Change the signers(?:.|\n)*First signer \("Name <email>"; Enter keeps, - removes\)\s\(Eve <ada@example\.com>\)/,
    );
    await terminal.press('Enter');
    await terminal.until(/leave empty to continue\)$/m);
    await enter(terminal, 'Eve <ada@example.com>');
    await terminal.until(/> You have already entered Eve <ada@example\.com>\./);
    await terminal.press('C-u', 'Enter');
    await declineFields(terminal);
    await terminal.until(/› Yes\n {2}Change the documents/);
    await terminal.press('Down', 'Down', 'Enter');
    await terminal.until(/Change the signers(?:.|\n)*Change the signers(?:.|\n)*Enter keeps, - removes/);
    await enter(terminal, '-');
    await terminal.until(/- removes\) -(?:.|\n)*First signer \("Name <email>"\)$/m);
    await enter(terminal, 'Ada <ada@example.com>');
    await terminal.until(/Ada <ada@example.com>\n.*leave empty to continue\)$/m);
    await terminal.press('Enter');
    // The text names Ada, so nothing is guessed, and Enter alone is followed by the confirmation.
    await terminal.until(/signature for Ada, page 3(?:.|\n)*› Add them\n/);
    await terminal.press('Enter');
    await terminal.until(
      /contract\.pdf, 3 pages\n1\. Ada <ada@example\.com>\n\n\? Send this in the sandbox\?\n› Yes/,
    );
    await terminal.press('Enter');
    const screen = await terminal.until(/code=\d/);
    expect(screen).toMatch(/^Sent to Ada <ada@example\.com>\./m);
    expect(screen).toMatch(/^code=0$/m);
  });

  test('tx send offers the fields that a document asks for, and takes none without a yes', async () => {
    await writeFile(join(fixture.folder, 'lease.pdf'), leasePdf());
    const terminal = await at(110);
    const send = "esign tx send lease.pdf --to 'Ada <ada@example.com>' --to 'Bob <bob@example.com>'";
    await enter(terminal, `${send} --name Taken; echo "taken=$?"`);
    const asking = await terminal.until(OFFER);
    expect(asking).toMatch(
      /^ {2}signature for Ada \(guessed by order\), page 2: "Signature of the landlord"$/m,
    );
    expect(asking).toMatch(
      /^ {2}signature for Bob \(guessed by order\), page 2: "Signature of the tenant"$/m,
    );
    await terminal.press('Up', 'Up', 'Enter');
    await terminal.until(/^taken=0$/m);
    await enter(terminal, `clear; ${send} --name Left; echo "left=$?"`);
    await terminal.until(OFFER);
    await terminal.press('Up', 'Enter');
    await terminal.until(/^left=0$/m);
    for (const [index, more] of ['--yes', "--field 'date@2:10%,10%,20%x3%=1'", '--dry-run'].entries()) {
      await enter(terminal, `clear; ${send} ${more}; echo "code${index}=$?"`);
      const screen = await terminal.until(new RegExp(`^code${index}=0$`, 'm'));
      expect(screen).not.toContain('Likely fields');
    }
    const { out } = await runCommand(fixture, 'esign tx list --json');
    const sent: { id: string; name: string }[] = JSON.parse(out).items;
    const countOf = async (name: string) => {
      const { id } = sent.find((one) => one.name === name)!;
      return JSON.parse((await runCommand(fixture, `esign tx fields ${id} --json`)).out).items.length;
    };
    expect([await countOf('Taken'), await countOf('Left')]).toEqual([5, 2]);
  });

  test('tx send sends nothing where the offer of fields is stopped, nor by Enter alone', async () => {
    await writeFile(join(fixture.folder, 'lease.pdf'), leasePdf());
    const terminal = await at(60);
    const send = "esign tx send lease.pdf --to 'Ada <ada@example.com>' --to 'Bob <bob@example.com>'";
    await enter(terminal, `${send}; echo "stopped=$?"`);
    const asking = await terminal.until(OFFER);
    // Lines break between words.
    expect(asking).toMatch(
      /^ {2}signature for Ada \(guessed by order\), page 2: "Signature\n {4}of the landlord"$/m,
    );
    await terminal.press('Down', 'Enter');
    await terminal.until(/You did not confirm(?:.|\n)*^stopped=130$/m);
    expect((await runCommand(fixture, 'esign tx list --json')).out).toContain('"items":[]');
    await enter(terminal, `clear; ${send} --draft; echo "draft=$?"`);
    await terminal.until(/ {2}Add them and create the draft\n {2}Create the draft without them\n/);
    await terminal.press('Down', 'Enter');
    await terminal.until(/^draft=130$/m);
    await enter(terminal, `clear; ${send} --name Edited`);
    await terminal.until(OFFER);
    await terminal.press('Enter');
    await terminal.until(/The draft is [0-9a-f-]{36}\.(?:.|\n)*\/edit/);
    await terminal.press('C-c');
    await terminal.until(/\(interrupted\)/);
    const { items } = JSON.parse((await runCommand(fixture, 'esign tx list --json')).out);
    expect(items).toMatchObject([{ name: 'Edited', status: 'draft' }]);
    const { out } = await runCommand(fixture, `esign tx fields ${items[0].id} --json`);
    expect(JSON.parse(out).items).toHaveLength(5);
  });

  test('tx send offers the fields of a Word document, at its words, and mentions its tags', async () => {
    const line = (label: string) => paragraph(run(`${label}: ______________________________`));
    const body = `${paragraph(run('Agreement'))}${line('Signature')}${line('Date')}`;
    await writeFile(join(fixture.folder, 'lines.docx'), docxOf(body));
    const tag = `${run('{')}${run('{signature, r1}')}${run('}')}`;
    await writeFile(join(fixture.folder, 'tags.docx'), docxOf(paragraph(tag)));
    const terminal = await at(110);
    await enter(
      terminal,
      'esign tx send lines.docx --to "Ada <ada@example.com>" --name Taken; echo "code=$?"',
    );
    const asking = await terminal.until(/› Add them and edit in the browser|› Add it and edit/);
    expect(asking).toMatch(/^ {2}signature for Ada.*, page 1: "Signature"$/m);
    await terminal.press('Up', 'Up', 'Enter');
    await terminal.until(/^code=0$/m);
    const { items } = JSON.parse((await runCommand(fixture, 'esign tx list --json')).out);
    const { out } = await runCommand(fixture, `esign tx fields ${items[0].id} --json`);
    const types = JSON.parse(out).items.map(({ type }: { type: string }) => type);
    expect(types.sort()).toEqual(['date', 'signature']);
    for (const more of ['--draft', '--dry-run']) {
      const { err, out: shown } = await runCommand(
        fixture,
        `esign tx send tags.docx --to ada@example.com ${more}`,
      );
      expect(`${err}${shown}`).toMatch(/has the tag \{\{signature, r1\}\}, which stays text/);
    }
  });

  test('the people of a template are shown and confirmed before they are asked, unless --yes', async () => {
    const made = await runCommand(
      fixture,
      'esign tx send contract.pdf --to "Ada <ada@example.com>" --draft --json',
    );
    const { id } = JSON.parse(made.out);
    const saved = await runCommand(fixture, `esign sandbox template save ${id} --name Lease --json`);
    const send = `esign tx send --template ${JSON.parse(saved.out).id}`;
    const terminal = await at(100);
    await enter(terminal, `${send}; echo "code=$?"`);
    await terminal.until(
      /^1\. Ada <ada@example\.com> \(signature\)\n\n\? Send this in the sandbox\? \(y\/N\)/m,
    );
    await terminal.press('Enter');
    await terminal.until(/^code=130$/m);
    expect((await runCommand(fixture, 'esign sandbox status --json')).out).toContain('"started":0');
    for (const [index, more] of ['--yes', '--no-input', '--json', '--draft', '--dry-run'].entries()) {
      await enter(terminal, `clear; ${send} ${more}; echo "code${index}=$?"`);
      expect(await terminal.until(new RegExp(`^code${index}=0$`, 'm'))).not.toContain('? Send');
    }
    expect((await runCommand(fixture, 'esign sandbox status --json')).out).toContain('"started":3');
  });

  test('an id is chosen from those that were seen, events from those there are', async () => {
    await runCommand(fixture, 'esign tx create --name First && esign tx create --name Second');
    const terminal = await at(80);
    await enter(terminal, 'esign tx show');
    await terminal.until(/› Second · draft\n {2}First · draft/);
    await terminal.press('Down', 'Enter');
    await terminal.until(/^First$/m);
    await enter(terminal, 'clear; esign webhooks create --name Orders');
    await terminal.until(/\? Endpoint/);
    await enter(terminal, 'https://hooks.example.com/');
    await terminal.until(/\? Events/);
    await terminal.press('Enter');
    await terminal.until(/> At least one/);
    await terminal.press('Down', 'Space', 'Enter');
    await terminal.until(/^Created the webhook/m);
  });

  test('update and cancel offer what they accept when no id is given', async () => {
    await runCommand(fixture, 'esign tx send contract.pdf --to ada@example.com --name Rental');
    const terminal = await at(80);
    await enter(terminal, 'esign tx cancel --reason "Wrong file"; echo "code=$?"');
    await terminal.until(/› Rental · started/);
    await terminal.press('Enter');
    await terminal.until(/\? Cancel transaction [0-9a-f-]{36}\?/);
    await enter(terminal, 'y');
    await terminal.until(/^Cancelled the transaction\.$/m);
    await terminal.until(/^code=0$/m);
    await enter(terminal, 'clear; esign tx update --name Lease; echo "code=$?"');
    await terminal.until(/\(argument_missing\)/);
    await terminal.until(/^code=2$/m);
  });

  test('tx update asks before it removes the fields of a recipient', async () => {
    const to = '--to "Ada <ada@example.com>" --to "Bob <bob@example.com>"';
    const made = await runCommand(fixture, `esign tx send contract.pdf ${to} --draft --json`);
    const { id } = JSON.parse(made.out);
    const terminal = await at(100);
    await enter(terminal, `esign tx update ${id} -t bob@example.com; echo "code=$?"`);
    await terminal.until(
      /Ada <ada@example\.com> \(signature on page 3\)\.\n\? Remove these fields\? \(y\/N\)/,
    );
    await terminal.press('Enter');
    await terminal.until(/^code=130$/m);
    const { out } = await runCommand(fixture, `esign tx fields ${id} --json`);
    expect(JSON.parse(out).items).toHaveLength(2);
  });

  test('recipients of a project file are confirmed before anything is sent, unless --yes', async () => {
    await writeFile(
      join(fixture.folder, 'esign.config.json'),
      JSON.stringify({ to: ['Eve <eve@evil.example>'] }),
    );
    const terminal = await at(80);
    await enter(terminal, 'esign tx send contract.pdf; echo "code=$?"');
    await declineFields(terminal);
    const asking = await terminal.until(/\? Send this in the sandbox\?/);
    expect(asking).toMatch(/Recipients from esign\.config\.json: Eve <eve@evil\.example>/);
    expect(asking).toMatch(/^1\. Eve <eve@evil\.example>$/m);
    await enter(terminal, 'n');
    await terminal.until(/^code=130$/m);
    await enter(terminal, 'clear; esign tx send contract.pdf --quiet; echo "code=$?"');
    await declineFields(terminal);
    await terminal.until(/^1\. Eve <eve@evil\.example>\n\n\? Send this in the sandbox\?/m);
    await enter(terminal, 'n');
    await terminal.until(/^code=130$/m);
    expect((await runCommand(fixture, 'esign sandbox status --json')).out).toContain('"started":0');
    await enter(terminal, 'clear; esign tx send contract.pdf --yes; echo "code=$?"');
    const sent = await terminal.until(/^code=0$/m);
    expect(sent).toContain('Recipients from esign.config.json: Eve <eve@evil.example>');
    expect(sent).not.toContain('? Send');
  });
});

describe.skipIf(tmux.skip)(`no colour${tmux.why}`, () => {
  test.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['CLICOLOR', { CLICOLOR: '0' }],
  ] as const)('%s holds for the spinner, tables, pages and errors alike', async (_, env) => {
    const terminal = await at(100, env);
    await enter(
      terminal,
      'esign tx send contract.pdf --to ada@example.com --yes; esign sandbox users list; esign tx show nobody; echo "code=$?"',
    );
    const screen = await terminal.until(/^code=5$/m);
    expect(screen).toMatch(/^› {2}ada@example\.com/m);
    expect(screen).toContain('Sandbox Sender');
    expect(await terminal.screen(true)).not.toContain('\u001b[');
  });
});

describe.skipIf(tmux.skip)(`Esc${tmux.why}`, () => {
  test('goes back from each question of tx send to the one before, but not from the first one', async () => {
    const terminal = await at(80);
    await enter(terminal, 'esign tx send; echo "code=$?"');
    await terminal.until(/› contract\.pdf/);
    await terminal.press('Enter');
    await terminal.until(/First signer \("Name <email>"\)$/m);
    await enter(terminal, 'Eve <eve@example.com>');
    await terminal.until(/leave empty to continue\)$/m);
    await terminal.press('Escape');
    // What was typed is offered again.
    await terminal.until(/First signer \("Name <email>"\) \(Eve <eve@example\.com>\)$/m);
    await enter(terminal, 'Ada <ada@example.com>');
    await terminal.until(/leave empty to continue\)$/m);
    await terminal.press('Enter');
    await terminal.until(/signature for Ada, page 3(?:.|\n)*\? Add these 2 fields\?/);
    await terminal.press('Enter');
    await terminal.until(/\? Send this in the sandbox\?\n› Yes(?:.|\n)*esc back/);
    await terminal.press('Escape');
    await terminal.until(
      /Likely fields(?:.|\n)*Likely fields(?:.|\n)*\? Add these 2 fields\?\n› Add them\n(?:.|\n)*esc back/,
    );
    await terminal.press('Escape');
    await terminal.until(/leave empty to continue\)\s*$/);
    await terminal.press('Escape');
    await terminal.until(/First signer \("Name <email>"\) \(Ada <ada@example\.com>\)\s*$/);
    await terminal.press('Escape');
    const first = await terminal.until(
      /\? Document to sign\n› contract\.pdf(?:.|\n)*navigate[^\n]*select\s*$/,
    );
    expect(first.split('Document to sign').at(-1)).not.toContain('esc back');
    await terminal.press('C-c');
    const screen = await terminal.until(/^code=\d+$/m);
    expect(screen).toMatch(/^error: Interrupted\. \(interrupted\)$/m);
    expect(screen).toMatch(/^code=130$/m);
    expect((await runCommand(fixture, 'esign tx list --json')).out).toContain('"items":[]');
  });

  test('is no answer to a question: it asks the reason again, and an arrow key is no Esc', async () => {
    await runCommand(fixture, 'esign tx send contract.pdf --to ada@example.com');
    const terminal = await at(80);
    await enter(terminal, 'esign tx cancel @; echo "code=$?"');
    await terminal.until(/\? Reason/);
    await enter(terminal, 'Wrong');
    await terminal.until(/\? Cancel transaction [0-9a-f-]{36}\? \(y\/N\)/);
    await terminal.press('Left', 'Right');
    await terminal.press('Escape');
    await terminal.until(/\? Reason \(Wrong\)\s*$/);
    await terminal.press('Enter');
    await terminal.until(/\? Cancel transaction [0-9a-f-]{36}\? \(y\/N\)\s*$/);
    await terminal.press('Escape');
    await terminal.until(/\? Reason \(Wrong\)\s*$/);
    await terminal.press('C-c');
    expect(await terminal.until(/^code=\d+$/m)).toMatch(/^code=130$/m);
  });

  test('goes back in a login and in a new webhook', async () => {
    const terminal = await at(100);
    await enter(terminal, 'esign webhooks create; echo "code=$?"');
    await terminal.until(/\? Name/);
    await enter(terminal, 'orders');
    await terminal.until(/\? Endpoint/);
    await enter(terminal, 'https://example.com/hook');
    await terminal.until(/\? Events(?:.|\n)*esc back/);
    await terminal.press('Escape');
    await terminal.until(/\? Endpoint \(an https URL\) \(https:\/\/example\.com\/hook\)\s*$/);
    await terminal.press('Escape');
    await terminal.until(/\? Name \(orders\)\s*$/);
    await terminal.press('C-c');
    await terminal.until(/^code=130$/m);
    await enter(terminal, 'clear; esign login --base-url http://127.0.0.1:9 --no-browser; echo "login=$?"');
    await terminal.until(/\? Client ID of the OAuth application/);
    await enter(terminal, 'A-client');
    await terminal.until(/\? Client secret/);
    await terminal.press('Escape');
    const screen = await terminal.until(/\? Client ID of the OAuth application \(A-client\)\s*$/);
    expect(screen.match(/Register an OAuth application/g)).toHaveLength(2);
    await terminal.press('C-c');
    await terminal.until(/^login=130$/m);
  });

  test('offers the path of a file again, also where one that was missing exists now', async () => {
    const folder = join(fixture.folder, 'files');
    await mkdir(folder);
    await copyFile(join(fixture.folder, 'contract.pdf'), join(folder, 'present.pdf'));
    const terminal = await at(100);
    await enter(terminal, 'esign tx send; echo "code=$?"');
    await terminal.until(/› contract\.pdf/);
    await terminal.press('Down', 'Enter');
    await terminal.until(/\? Path of the file/);
    await enter(terminal, '-');
    await terminal.until(/> .*standard input/);
    await terminal.press('C-u');
    await enter(terminal, 'files/missing.pdf');
    await terminal.until(/> .*missing\.pdf/);
    await terminal.press('C-u');
    await enter(terminal, 'files/present.pdf');
    await terminal.until(/\? First signer/);
    await copyFile(join(fixture.folder, 'contract.pdf'), join(folder, 'missing.pdf'));
    await terminal.press('Escape');
    await terminal.until(/\? Path of the file \(files\/present\.pdf\)\s*$/);
    await terminal.press('C-c');
    await terminal.until(/^code=130$/m);
  });
});

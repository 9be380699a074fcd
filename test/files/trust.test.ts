// Tests which folders are trusted: by owner, mode and repository, of each folder up to the root and of each link on the way.
import { chmod, chown, lstat, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  currentUser,
  distrustOf,
  makeTrustedFolder,
  mustTrust,
  type SystemUser,
  UntrustedError,
} from '../../src/files/trust.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NONE: SystemUser = { id: -1, homeDir: '' };

describe.skipIf(process.platform === 'win32')('a folder', () => {
  const user = currentUser() ?? NONE;
  let scratch: string;
  let folder: string;
  beforeEach(async () => {
    scratch = await temporaryFolder();
    folder = join(scratch, 'above', 'esign');
    await mkdir(folder, { recursive: true, mode: 0o700 });
  });
  afterEach(() => rm(scratch, { recursive: true, force: true }));

  const CHANGED = 'can be changed by other users';

  test('of the user, below folders of the user and of root, is trusted', () => {
    expect(distrustOf(folder, user)).toBeUndefined();
    expect(distrustOf(join(folder, 'not', 'made', 'yet'), user)).toBeUndefined();
  });

  test.each([
    ['itself', '.'],
    ['the one above it', '..'],
    ['one further up', '../..'],
  ])('is not trusted when all can write to %s', async (_what, where) => {
    const open = join(folder, where);
    await chmod(open, 0o777);
    expect(distrustOf(folder, user)).toMatchObject({ path: open, why: CHANGED });
    expect(distrustOf(folder, user)?.hint).toContain(`chmod go-w '${open}'`);
  });

  test('is trusted below a folder where all may make entries and none may replace those of others', async () => {
    await chmod(join(scratch, 'above'), 0o1777);
    expect(distrustOf(folder, user)).toBeUndefined();
    await chmod(folder, 0o1777);
    expect(distrustOf(folder, user)).toMatchObject({ path: folder, why: CHANGED });
  });

  test('of another user is not trusted, nor one below it', () => {
    const other = { ...user, id: user.id + 1 };
    const found = distrustOf(folder, other);
    // Where the tests are run by another user than root, a folder above is the first that belongs to them.
    expect(found?.why).toBe(user.id === 0 ? undefined : `belongs to another user (uid ${user.id})`);
  });

  test.runIf(user.id === 0)('of another user is not trusted by root', async () => {
    await chown(join(scratch, 'above'), 12345, 12345);
    expect(distrustOf(folder, user)).toEqual({
      path: join(scratch, 'above'),
      why: 'belongs to another user (uid 12345)',
      hint: expect.stringContaining('Set ESIGN_HOME to a directory that only you can change'),
    });
  });

  test.runIf(user.id === 0)('that a group with others in it can write to is not trusted', async () => {
    await chmod(folder, 0o770);
    await chown(folder, 0, 12345);
    expect(distrustOf(folder, user)).toMatchObject({ path: folder, why: CHANGED });
    await chmod(folder, 0o750);
    expect(distrustOf(folder, user)).toBeUndefined();
  });

  test('behind a link is judged by both ways to it', async () => {
    const link = join(scratch, 'link');
    await symlink(folder, link);
    expect(distrustOf(link, user)).toBeUndefined();
    await chmod(join(scratch, 'above'), 0o777);
    expect(distrustOf(link, user)).toMatchObject({ path: join(scratch, 'above'), why: CHANGED });
    await chmod(join(scratch, 'above'), 0o700);
    await mkdir(join(scratch, 'open'), { mode: 0o777 });
    await chmod(join(scratch, 'open'), 0o777);
    await symlink(folder, join(scratch, 'open', 'link'));
    expect(distrustOf(join(scratch, 'open', 'link'), user)).toMatchObject({ path: join(scratch, 'open') });
  });

  test('that links lead to in circles is left to the reader', async () => {
    await symlink(join(scratch, 'b'), join(scratch, 'a'));
    await symlink(join(scratch, 'a'), join(scratch, 'b'));
    expect(distrustOf(join(scratch, 'a', 'esign'), user)).toBeUndefined();
  });

  test.each(['a folder', 'a file'])('below %s named .git is not trusted', async (kind) => {
    const git = join(scratch, '.git');
    await (kind === 'a file' ? writeFile(git, 'gitdir: elsewhere') : mkdir(git));
    expect(distrustOf(folder, user)).toMatchObject({
      path: folder,
      why: `is inside the Git working tree ${scratch}, whose files may come from someone else`,
    });
    expect(distrustOf(folder, { ...user, homeDir: join(scratch, 'above') })).toBeUndefined();
    expect(distrustOf(folder, { ...user, homeDir: scratch })).toBeUndefined();
  });

  test('is made only where it would be trusted', async () => {
    await chmod(scratch, 0o777);
    expect(() => makeTrustedFolder(join(scratch, 'new', 'esign'))).toThrow(UntrustedError);
    await expect(lstat(join(scratch, 'new'))).rejects.toMatchObject({ code: 'ENOENT' });
    await chmod(scratch, 0o700);
    makeTrustedFolder(join(scratch, 'new', 'esign'));
    expect((await lstat(join(scratch, 'new'))).mode & 0o777).toBe(0o700);
  });

  test('is named with the reason and the way out', async () => {
    await chmod(folder, 0o777);
    expect(() => mustTrust(folder, user)).toThrow(
      `The directory ${folder} is not used because it can be changed by other users.`,
    );
    expect(() => mustTrust(join(folder, 'data'), user)).toThrow(
      `The directory ${join(folder, 'data')} is not used because ${folder} can be changed by other users.`,
    );
  });
});

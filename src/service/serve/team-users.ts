// Manages the users of a team server in its database: registration is closed there, and no page changes a password.
import { type Instant, instantOf } from '../../common/instant.ts';
import { findUser, verifyUser } from '../store/accounts.ts';
import { addVerifiedUser, type NewUser } from '../store/add-user.ts';
import { createPasswords } from '../store/password.ts';
import { accountSubject, forgetAttempts, setPassword } from '../store/sessions.ts';
import type { Store } from '../store/store.ts';
import { endAccess, listWithAccess } from '../store/user-access.ts';

type Facts = {
  nowMs(): number;
  newId(): string;
  random(bytes: number): Uint8Array;
};

/** `add` returns undefined where a user has the email address already; `setPassword` and `disable`, where no user has it. */
export function manageTeamUsers({ database }: Pick<Store, 'database'>, { nowMs, newId, random }: Facts) {
  const passwords = createPasswords(random);
  const now = (): Instant => instantOf(nowMs());
  return {
    async add({ password, ...user }: Omit<NewUser, 'passwordHash'> & { password: string }) {
      const passwordHash = await passwords.hash(password);
      return database.write((db) => addVerifiedUser(db, { ...user, passwordHash }, { now: now(), newId }));
    },
    list: () => database.read(listWithAccess),
    /** Generates a password where none is given, and returns it only then. */
    async setPassword(email: string, given: string | undefined) {
      const password = given ?? passwords.make();
      const hash = await passwords.hash(password);
      return database.write(async (db) => {
        const user = await findUser(db, email);
        if (!user) return undefined;
        await setPassword(db, user.id, hash, now());
        // A user who came with a copy of a sandbox may not have been verified there.
        await verifyUser(db, user.id, now());
        // Attempts on other accounts still count: others than the administrator may be making them.
        await forgetAttempts(db, accountSubject(user.email), []);
        return { email: user.email, ...(given === undefined && { password }) };
      });
    },
    disable: (email: string) =>
      database.write(async (db) => {
        const user = await findUser(db, email);
        if (!user) return undefined;
        return { id: user.id, email: user.email, ...(await endAccess(db, user.id, now())) };
      }),
  };
}

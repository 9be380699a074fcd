// The users that a seed acts as: each thing belongs to one of them, and is found among their own.
import { type Client, createClient } from '../../api/client.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { sameEmail } from '../../api/contract/values.ts';
import { withBearer } from '../../api/transport.ts';
import { cliError } from '../command/errors.ts';
import type { Seed } from './seed-schema.ts';
import type { SeedTarget } from './seeded-thing.ts';

export type SeedUsers = {
  /** @returns the id */
  find(email: string): Promise<string | undefined>;
  add(user: Seed['users'][number]): Promise<{ id: string }>;
  /** The client of a user; undefined for one who is not there yet. Without an email, that of the sandbox's own user. */
  findClient(email?: string): Promise<Client | undefined>;
  /** @throws an error where the user is not there */
  clientOf(email?: string): Promise<Client>;
};

export function createSeedUsers({ client, transport, baseUrl, ownUser }: SeedTarget): SeedUsers {
  const clients = new Map<string, Client>();
  const find = async (email: string) =>
    (await client['sandbox.list_users']()).items.find((one) => sameEmail(one.email, email))?.id;
  const findClient = async (email = ownUser.email) => {
    const known = clients.get(email.toLowerCase());
    if (known) return known;
    if ((await find(email)) === undefined) return undefined;
    const { access_token } = await client['sandbox.token']({ body: { user: email } });
    const token = async () => access_token as string;
    const made = createClient({ baseUrl, transport: withBearer(transport, { token }) });
    clients.set(email.toLowerCase(), made);
    return made;
  };
  return {
    find,
    findClient,
    async add({ company, password, ...user }) {
      const more = { ...(company !== undefined && { company }), ...(password !== undefined && { password }) };
      return { id: (await client['sandbox.add_user']({ body: { ...user, ...more } })).id };
    },
    async clientOf(email) {
      const found = await findClient(email);
      if (!found) throw new Error('The user of the seed was not added.');
      return found;
    },
  };
}

/** The error for a template that the company of the user does not have. @param place of the transaction in the seed */
export const templateMissing = (place: string, name: string) =>
  cliError('seed_invalid', {
    place,
    problem: `There is no template with the name "${name}" in the company of the user.`,
    hint: 'Add it to the list "templates", with a user of this company.',
  });

const PAGE = String(LIMITS.pageSizeMax);

/** @returns the id of the template of a user's company */
export const findTemplateByName = (client: Client, name: string): Promise<string | undefined> =>
  findInPages((page) => client['template.list']({ query: { search: name, limit: PAGE, page } }), name);

export const findWebhookByName = (client: Client, name: string): Promise<string | undefined> =>
  findInPages((page) => client['webhook.list']({ query: { limit: PAGE, page } }), name);

type Page = {
  items: readonly { id?: string | null | undefined; name?: string | null | undefined }[];
  meta?: { is_last_page?: boolean | null | undefined } | null | undefined;
};

async function findInPages(read: (page: string) => Promise<Page>, name: string): Promise<string | undefined> {
  for (let page = 1; ; page += 1) {
    const { items, meta } = await read(String(page));
    const found = items.find((one) => one.name === name)?.id;
    if (found) return found;
    if (meta?.is_last_page !== false) return undefined;
  }
}

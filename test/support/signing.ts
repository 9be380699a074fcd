// A transaction that asks for everything there is, for tests of the signing pages and for their pictures.
import type { Page as BrowserPage } from 'playwright-core';
import { type Draft, detailOf, draftOf, fieldFor, type Person, tokenOf, updateOf } from './deal.ts';
import type { Harness } from './harness.ts';
import { type Page, type Visitor, visitorOf } from './visitor.ts';

export const SIGNER: Person = { name: 'Ada Lovelace', email: 'ada@example.com' };
export const PROXY: Person = { name: 'Grace Hopper', email: 'grace@example.com', role: 'proxy' };

type FieldBody = ReturnType<typeof fieldFor>;

/** One field of every type for this person, on the first and the last page. */
export function everyField(draft: Draft, email: string): FieldBody[] {
  const at = (positionY: number, more: Partial<FieldBody>) =>
    fieldFor(draft, email, { positionX: 72, positionY, width: 200, height: 24, ...more });
  return [
    at(120, { type: 'person_name', label: 'Full name' }),
    at(160, { type: 'email', label: 'E-mail address' }),
    at(200, { type: 'date', label: 'Start of work' }),
    at(240, {
      type: 'number',
      label: 'Daily rate',
      min_value: 100,
      max_value: 5000,
      helper_text: 'In euros',
    }),
    at(280, { type: 'select', label: 'Country', options: ['Germany', 'France', 'Poland'] }),
    at(320, { type: 'radio', label: 'Invoice by', options: ['E-mail', 'Post'], is_required: false }),
    at(360, { type: 'checkbox', label: 'I have read the annex', width: 16, height: 16 }),
    at(400, {
      type: 'text',
      label: 'Tax number',
      regex: '[A-Z]{2}\\d{9}',
      helper_text: 'Such as DE123456789',
    }),
    at(440, { type: 'text', label: 'Remarks', height: 60, is_required: false }),
    at(640, { type: 'signature', label: 'Signature', height: 48 }),
    at(700, { type: 'initials', label: 'Initials', page: 2, width: 80, height: 32 }),
    at(640, { type: 'signature', label: 'Signature of the annex', page: 2, height: 48 }),
  ];
}

/** Values that all rules of {@link everyField} accept, by label. */
export const GOOD_VALUES: Record<string, string> = {
  'Full name': 'Ada Lovelace',
  'E-mail address': 'ada@example.com',
  'Start of work': '2026-04-01',
  'Daily rate': '1,200.50',
  Country: 'France',
  'Tax number': 'DE123456789',
};

const NAME = 'Consulting agreement 2026';

/**
 * Started.
 * @param text what the sender calls the transaction, and themselves
 * @returns the signing token of the first of these people, who each have every field
 */
export async function signable(
  world: Pick<Harness, 'client'>,
  people: Person[] = [SIGNER],
  text = NAME,
): Promise<Draft & { token: string; recipientId: string }> {
  const draft = await draftOf(world, people);
  const params = { transactionId: draft.id };
  const body = updateOf(draft.detail, {
    name: text,
    email_alias: text === NAME ? null : text,
    email_body: 'Hello,\nplease sign the agreement that we talked about.\n\nKind regards',
    description: 'Work on the analytical engine',
    expiration_days: 14,
    fields: people.flatMap(({ email }) => everyField(draft, email)),
  });
  await world.client['transaction.update']({ params, body });
  const { url } = await world.client['transaction.start']({ params });
  const detail = await detailOf(world, draft.id);
  const recipientId = detail.template.recipients.find(({ is_current }) => is_current)?.id ?? '';
  return { id: draft.id, detail, token: tokenOf(url), recipientId };
}

/** A recipient's browser without a window, at the page that their address leads to. */
export async function guestAt(
  world: Pick<Harness, 'baseUrl' | 'transport'>,
  token: string,
  headers: Record<string, string> = {},
): Promise<Guest> {
  const visitor = visitorOf(world, world.baseUrl, headers);
  const entered = await visitor.get(`/sign?token=${token}`);
  if (entered.location === null) throw new Error(`The link does not work: ${entered.text}`);
  const base = entered.location;
  return {
    ...visitor,
    base,
    entered,
    open: (page = '') => visitor.get(page === '' ? base : `${base}/${page}`),
    async submitForm(from, action, fields) {
      return visitor.send(
        await visitor.get(from === '' ? base : `${base}/${from}`),
        `${base}/${action}`,
        fields,
      );
    },
  };
}

export type Guest = Visitor & {
  /** `/sign/RECIPIENT` */
  base: string;
  entered: Page;
  open(page?: string): Promise<Page>;
  /** Opens a page and sends its form. */
  submitForm(from: string, action: string, fields: Record<string, string>): Promise<Page>;
};

/** Agreed to sign electronically. */
export async function agreed(guest: Guest): Promise<Guest> {
  await guest.submitForm('', 'consent', { agree: 'yes', time_zone: 'Europe/Berlin' });
  return guest;
}

/** The names of the controls of a recipient's fields, by label. */
export async function controlsOf(
  { client }: Pick<Harness, 'client'>,
  { id, recipientId }: { id: string; recipientId: string },
): Promise<Record<string, string>> {
  const { template } = await detailOf({ client }, id);
  const own = template.fields.filter(({ recipient_id }) => recipient_id === recipientId);
  return Object.fromEntries(own.map((field) => [field.label, `value-${field.id}`]));
}

/** Everything filled in rightly, with a typed signature; nothing submitted. */
export async function filledIn(
  world: Pick<Harness, 'client'>,
  guest: Guest,
  deal: { id: string; recipientId: string },
): Promise<void> {
  const names = await controlsOf(world, deal);
  const values = Object.fromEntries(
    Object.entries(GOOD_VALUES).map(([label, value]) => [names[label], value]),
  );
  await guest.submitForm('document', 'values', { ...values, [names['I have read the annex'] ?? '']: 'true' });
  const page = await guest.open('signature');
  await guest.sendFile(page, `${guest.base}/signature`, { text: 'Ada Lovelace', face: 'script' });
}

/** In a browser: values that every rule accepts, by the labels of their controls; the signature is another matter. */
export async function fillInByLabels(page: BrowserPage): Promise<void> {
  // On a narrow screen the script shows one control at a time, or all of them.
  const all = page.getByRole('button', { name: 'Your fields', exact: true });
  if (await all.isVisible()) await all.click();
  for (const [label, value] of Object.entries(GOOD_VALUES)) {
    const control = page.getByLabel(label, { exact: true });
    if (label === 'Country') await control.selectOption(value);
    else await control.fill(value);
  }
  await page.getByLabel('I have read the annex').check();
}

// Shows secrets once, in the answer to the form that made them. No page is stored by a browser, and the store has hashes only.
import { type Html, type HtmlValue, html } from '../rendering/html.ts';

export type OnceParts = {
  title: HtmlValue;
  /** Says what the secrets are for, and that this is the only time. */
  text: HtmlValue;
  entries: readonly { id: string; label: string; value: string }[];
};

export const secretsOnce = ({ title, text, entries }: OnceParts): Html =>
  html`<section class="done" aria-labelledby="made">
<h2 id="made">${title}</h2>
<p>${text}</p>
<dl>${entries.map(({ id, label, value }) => html`<dt>${label}</dt><dd><code id="${id}">${value}</code></dd>`)}</dl>
</section>`;

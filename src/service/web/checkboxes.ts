// Renders a group of checkboxes with a legend and an error message.
import { type Html, html } from '../rendering/html.ts';
import type { WrongField } from './layout.ts';

export type CheckboxesParts = {
  name: string;
  legend: string;
  choices: readonly { value: string; label: string }[];
  checked: readonly string[];
  wrong: readonly WrongField[];
};

/** The first checkbox has the name of the group as its id, so that an error in the summary leads to it. */
export function checkboxes({ name, legend, choices, checked, wrong }: CheckboxesParts): Html {
  const message = wrong.find((one) => one.field === name)?.message;
  return html`<fieldset class="field"${message && html` aria-describedby="${name}-wrong"`}>
<legend>${legend}</legend>
${message && html`<p class="wrong" id="${name}-wrong">${message}</p>`}
${choices.map(
  ({ value, label }, index) =>
    html`<p class="check"><input type="checkbox" id="${index === 0 ? name : `${name}-${value}`}" name="${name}" value="${value}"${checked.includes(value) && html` checked`}>
<label for="${index === 0 ? name : `${name}-${value}`}">${label} <code>${value}</code></label></p>`,
)}
</fieldset>`;
}

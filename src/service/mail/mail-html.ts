// A letter as HTML: tables and styles inside of elements, because mail programs know little more; no picture, nothing that
// is loaded. Reads on a telephone and in dark mode (mail-html.css, for programs that know it; the others show what the elements say). The only link is the one of ours: what the sender wrote is text.
import { asIs, type Html, html, markupText } from '../rendering/html.ts';
import { headerText } from './header-text.ts';
import DARK from './mail-html.css';
import { type Mail, type MailParts, mailPartsOf } from './mail-text.ts';

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const BREAKS = 'overflow-wrap:anywhere;word-break:break-word';

export const renderMailHtml = async (mail: Mail): Promise<string> =>
  markupText(frame(mail, body(await mailPartsOf(mail))));

/** All languages that there are words in read from left to right; a name in another script is isolated. */
const frame = (mail: Mail, content: Html): Html => html`<!doctype html>
<html lang="${mail.language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${headerText(mail.subject)}</title>
<style>
${asIs(DARK)}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#faf9f6">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#faf9f6">
<tr><td align="center" style="padding:16px 8px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid #dcd9d1;border-radius:8px">
<tr><td style="padding:24px 20px;${FONT};font-size:16px;line-height:1.5;${BREAKS}">
${content}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;

function body({ greeting, lead, quote, action, facts, notes }: MailParts): Html {
  return html`${paragraph(greeting, 'ink')}
${paragraph(lead, 'ink')}
${quote && quoted(quote)}
${action && button(action)}
${
  facts.length > 0 &&
  html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">${facts.map(
    ({ label, values }) =>
      html`<tr><td class="soft" style="padding:2px 0 0;color:#5a6372;font-size:14px">${label}</td></tr>
<tr><td class="ink" dir="auto" style="padding:0 0 8px;color:#1c2330;white-space:pre-wrap">${values.join('\n')}</td></tr>`,
  )}</table>`
}
${notes.map((note) => paragraph(note, 'soft'))}`;
}

const quoted = ({ by, text }: NonNullable<MailParts['quote']>): Html =>
  html`<p class="soft" dir="auto" style="margin:0 0 4px;font-size:14px;color:#5a6372">${by}</p>
<blockquote class="said ink" dir="auto" style="margin:0 0 16px;padding:12px 16px;background:#eef3ef;color:#1c2330;border-radius:4px;white-space:pre-wrap">${text}</blockquote>`;

const COLOR = { ink: '#1c2330', soft: '#5a6372' } as const;

const paragraph = (text: string, color: keyof typeof COLOR): Html =>
  html`<p class="${color}" dir="auto" style="margin:0 0 16px;color:${COLOR[color]};white-space:pre-wrap${color === 'soft' && ';font-size:14px'}">${text}</p>`;

/** The address stands below it as well: some programs show no links, and people want to see where they go. */
const button = ({
  label,
  url,
}: NonNullable<
  MailParts['action']
>): Html => html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 8px">
<tr><td class="button" style="background:#1d5c48;border-radius:6px"><a href="${url}" style="display:inline-block;padding:12px 24px;color:#ffffff;font-weight:600;text-decoration:none">${label}</a></td></tr>
</table>
<p class="soft" style="margin:0 0 16px;font-size:13px;color:#5a6372"><a class="link" href="${url}" style="color:#1d5c48">${url}</a></p>`;

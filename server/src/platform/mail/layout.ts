import { type Html, html } from '../../kernel/html.ts'
import { type Palette, palettesOf } from '../../kernel/palette.ts'
import type { MailContent, MailList, MailPicture, MailRow } from './compose.ts'

/*
 * The HTML of a mail. It uses tables, because Outlook supports no other layout, and inline styles, because many clients support
 * no others. The classes are for the dark colors, which are in the head.
 */

/** The default colors of a mail: those of the hosted pages. All of them differ, so that each can be replaced by a store's color. */
export const DEFAULT_PALETTES = palettesOf({
  primaryColor: '#17594a',
  backgroundColor: '#f6f4ef',
  textColor: '#1d1b18',
})
const { paper, card, ink, soft, line, accent, onAccent } = DEFAULT_PALETTES.light

/** Replaced on delivery. No text can contain a mark, because it is escaped. */
export const MARKS = { head: '<!-- head -->', foot: '<!-- foot -->', style: '<!-- style -->' } as const
export const IMAGE_BASE = 'src="/'

const SANS = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;"
const SERIF = 'font-family:Georgia,serif;'
const TEXT = `margin:0 0 16px;font-size:16px;line-height:1.55;color:${ink};white-space:pre-line;overflow-wrap:anywhere;`
const SMALL = `margin:0 0 10px;font-size:14px;line-height:1.5;color:${soft};overflow-wrap:anywhere;`
const CELL = `padding:6px 0;font-size:16px;line-height:1.45;text-align:left;vertical-align:top;color:${ink};overflow-wrap:anywhere;`
const AMOUNT = `padding:6px 0 6px 16px;font-size:16px;line-height:1.45;text-align:right;vertical-align:top;color:${ink};`
const TABLE = 'width:100%;border-collapse:collapse;'
const PADDING = '13px 26px'

/** The style sheet: the padding on a phone, and the dark colors, for clients that support them. */
export function mailStyle({ dark }: { readonly dark: Palette }): Html {
  const rules = ({ paper, card, ink, soft, line, accent, onAccent }: Palette) =>
    `.paper{background-color:${paper} !important}.card{background-color:${card} !important}` +
    `.ink{color:${ink} !important}.soft{color:${soft} !important}.line{border-color:${line} !important}` +
    `.link{color:${accent} !important}.button{background-color:${accent} !important}` +
    `.on{color:${onAccent} !important}`
  const narrow = '@media (max-width:480px){.inset{padding-left:20px !important;padding-right:20px !important}}'
  return html`<style>${narrow}@media (prefers-color-scheme:dark){${rules(dark)}}</style>`
}

/** The HTML of a mail. Texts of shoppers may be in any script, so each part has `dir="auto"`. */
export function mailPage(content: MailContent): string {
  const { language, title, paragraphs, action, payment, lists = [], farewell = [], closing } = content
  const { text } = html`<html lang="${language}" dir="ltr">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
${mark('style')}</head>
<body class="paper" style="margin:0;padding:0;background-color:${paper};${SANS}">
<div style="display:none;max-height:0;overflow:hidden;">${preheaderOf(content)}</div>
<table role="presentation" class="paper" style="${TABLE}background-color:${paper};"><tr><td align="center" style="padding:24px 12px;">
<table role="presentation" width="600" style="width:100%;max-width:600px;border-collapse:collapse;${SANS}">
<tr><td class="inset" style="padding:0 32px 20px;">${mark('head')}</td></tr>
<tr><td class="card inset" style="padding:32px 32px 20px;background-color:${card};border-radius:12px;">
<h1 class="ink" dir="auto" style="margin:0 0 16px;${SERIF}font-size:26px;line-height:1.25;font-weight:600;color:${ink};overflow-wrap:anywhere;">${title}</h1>
${paragraphs.map((each) => html`<p class="ink" dir="auto" style="${TEXT}">${each}</p>\n`)}${action && buttonOf(action)}${
  payment && [listOf(payment), payment.picture && pictureOf(payment.picture)]
}${lists.map(listOf)}${farewell.map((each) => html`<p class="ink" dir="auto" style="${TEXT}">${each}</p>\n`)}</td></tr>
<tr><td class="inset" style="padding:24px 32px 0;">
${closing.map((each) => html`<p class="soft" dir="auto" style="${SMALL}">${each}</p>\n`)}${
  action &&
  html`<p class="soft" style="${SMALL}font-size:13px;">${action.label}: <a class="link" href="${action.url}" style="color:${accent};">${action.url}</a></p>\n`
}${mark('foot')}</td></tr>
</table>
</td></tr></table>
</body>
</html>`
  return `<!doctype html>\n${text}\n`
}

function mark(place: keyof typeof MARKS): Html {
  switch (place) {
    case 'head':
      return html`<!-- head -->`
    case 'foot':
      return html`<!-- foot -->`
    case 'style':
      return html`<!-- style -->`
  }
}

/** The preview text, which mail clients show after the subject. */
function preheaderOf({ paragraphs, lists = [] }: MailContent): string {
  const total = lists.flatMap(({ rows }) => rows).find(({ isStrong }) => isStrong)
  return [...paragraphs.slice(0, 1), ...(total ? [`${total.label}: ${total.value}`] : [])].join(' ')
}

/** Outlook ignores the padding of a link, so the cell has it there. */
function buttonOf({ label, url }: NonNullable<MailContent['action']>): Html {
  return html`<table role="presentation" style="border-collapse:separate;margin:8px 0 24px;"><tr><td class="button" style="border-radius:10px;background-color:${accent};mso-padding-alt:${PADDING};"><a class="on" href="${url}" style="display:inline-block;padding:${PADDING};font-size:16px;font-weight:600;color:${onAccent};text-decoration:none;">${label}</a></td></tr></table>\n`
}

function pictureOf({ url, alt, size }: MailPicture): Html {
  return html`<p style="margin:16px 0;"><img src="${url}" alt="${alt}" width="${size}" height="${size}" style="border:0;background-color:white;"></p>\n`
}

function listOf({ heading, rows }: MailList): Html {
  const isText = rows.every(({ value, url, image }) => (value ?? url ?? image) === undefined)
  return html`<h2 class="ink line" style="margin:24px 0 8px;padding-top:20px;border-top:1px solid ${line};font-size:16px;line-height:1.4;font-weight:600;color:${ink};">${heading}</h2>
${isText ? linesOf(rows) : html`<table style="${TABLE}margin-bottom:12px;">\n${rows.map(rowOf)}</table>\n`}`
}

function linesOf(rows: readonly MailRow[]): Html {
  return html`<p class="ink" style="${TEXT}">${rows.map(
    ({ label, details = [] }, index) =>
      html`${index > 0 && html`<br>`}<span dir="auto">${[label, ...details].join(', ')}</span>`,
  )}</p>\n`
}

function rowOf({ label, details = [], value, url, image, isStrong = false }: MailRow): Html {
  const weight = `font-weight:${isStrong ? '600' : '400'};`
  const name =
    url === undefined
      ? html`<span dir="auto">${label}</span>`
      : html`<a class="link" href="${url}" style="color:${accent};">${label}</a>`
  const more = details.map(
    (each) => html`<br><span class="soft" dir="auto" style="font-size:14px;color:${soft};">${each}</span>`,
  )
  // The name of the item is next to its picture, so the picture has no alternative text.
  const picture =
    image !== undefined &&
    html`<td style="width:64px;padding:6px 14px 6px 0;vertical-align:top;"><img src="${image}" alt="" width="64" height="64" style="display:block;width:64px;height:64px;object-fit:cover;border:0;border-radius:8px;"></td>`
  const span = image === undefined ? '2' : '1'
  if (value === undefined) {
    return html`<tr>${picture}<td class="ink" colspan="${span === '2' ? '3' : '2'}" style="${CELL}${weight}">${name}${more}</td></tr>\n`
  }
  return html`<tr>${picture}<th scope="row" class="ink" colspan="${span}" style="${CELL}${weight}">${name}${more}</th><td class="ink" style="${AMOUNT}${weight}">${value}</td></tr>\n`
}

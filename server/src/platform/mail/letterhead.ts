import { type Html, html } from '../../kernel/html.ts'
import type { Palette } from '../../kernel/palette.ts'
import type { Reader } from '../postgres/reader.ts'
import { DEFAULT_COLORS, IMAGE_BASE, MARKS, type MailBodies } from './compose.ts'

/** Who a mail is from: added to it on delivery, so that writing it costs nothing. */
export interface Letterhead {
  readonly name: string
  /** Of a marketplace: the stores that the mail is about. */
  readonly stores: readonly string[]
  readonly logoUrl: string | null
  /** `null`: ours. */
  readonly colors: { readonly light: Palette; readonly dark: Palette } | null
  /** Email address, phone number, website, imprint, privacy policy. */
  readonly footer: readonly { readonly label: string; readonly url: string }[]
  /** Base of relative image URLs. */
  readonly publicUrl: string
}

/** Loads the letterhead of a mail. */
export type LoadLetterhead = (
  reader: Reader,
  mail: { readonly storeIds: readonly string[]; readonly locale: string; readonly now: Date },
) => Promise<Letterhead>

/** The bodies with the name, logo and colors of the sender, and its contact and imprint at the end. */
export function withLetterhead({ text, html: body }: MailBodies, letterhead: Letterhead): MailBodies {
  const { name, stores, colors, footer, publicUrl } = letterhead
  const who = stores.length > 1 ? `${name}: ${stores.join(', ')}` : name
  const lines = footer.map(({ label, url }) =>
    /^(mailto|tel):/.test(url) || url === label ? label : `${label}: ${url}`,
  )
  const signed = text.replace(/\n-- \n[^\n]*\n$/, () => `\n-- \n${[who, ...lines].join('\n')}\n`)
  const parts = { [MARKS.head]: headOf(letterhead), [MARKS.foot]: footOf(letterhead), [MARKS.style]: styleOf(colors) }
  const marked = Object.entries(parts).reduce((page, [mark, part]) => page.replace(mark, () => part.text), body)
  const button = colors && `background:${colors.light.accent};color:${colors.light.onAccent};`
  return {
    text: signed,
    html: marked
      .replaceAll(DEFAULT_COLORS, () => button ?? DEFAULT_COLORS)
      .replaceAll(IMAGE_BASE, () => `src="${publicUrl}/`),
  }
}

function headOf({ name, stores, logoUrl, publicUrl }: Letterhead): Html {
  const logo =
    logoUrl !== null &&
    html`<img src="${new URL(logoUrl, publicUrl).href}" alt="" width="40" height="40" style="vertical-align:middle;margin-right:12px;border-radius:6px;">`
  return html`<p style="font-size:19px;font-weight:600;margin:0 0 1.5rem;">${logo}${name}${
    stores.length > 1 && html`<br><span style="font-size:15px;font-weight:400;">${stores.join(', ')}</span>`
  }</p>`
}

function footOf({ name, footer }: Letterhead): Html {
  const links = footer.map(({ label, url }, index) => html`${index > 0 && ' · '}<a href="${url}">${label}</a>`)
  return html`<div class="foot" style="margin-top:2.5rem;padding-top:1rem;border-top:1px solid #d8d4cc;font-size:14px;"><strong>${name}</strong>${
    links.length > 0 && html`<br>${links}`
  }</div>`
}

/** Only clients that know `style` have a dark mode of their own; the others keep the colors inline. */
function styleOf(colors: Letterhead['colors']): Html {
  if (colors === null) return html``
  const rules = (palette: Palette) =>
    `body{background:${palette.card};color:${palette.ink}}a{color:${palette.accent}}` +
    `.button{background:${palette.accent} !important;color:${palette.onAccent} !important}`
  return html`<style>${rules(colors.light)}@media (prefers-color-scheme:dark){${rules(colors.dark)}}</style>`
}

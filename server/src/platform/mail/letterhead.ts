import { type Html, html } from '../../kernel/html.ts'
import type { Palette } from '../../kernel/palette.ts'
import type { Reader } from '../postgres/reader.ts'
import type { MailBodies } from './compose.ts'
import { DEFAULT_PALETTES, IMAGE_BASE, MARKS, mailStyle } from './layout.ts'
import type { MailSender } from './senders.ts'

/** The sender's name, colors and contact details. They are added on delivery, so that writing a mail needs no queries for them. */
export interface Letterhead {
  readonly name: string
  /** In a marketplace, the stores that the mail is about. */
  readonly stores: readonly string[]
  readonly logoUrl: string | null
  /** `null`: the default ones. */
  readonly colors: { readonly light: Palette; readonly dark: Palette } | null
  /** The seller: legal name, postal address, VAT number. One line each. */
  readonly imprint: readonly string[]
  /** Email address, phone number, website, imprint, privacy policy. */
  readonly footer: readonly { readonly label: string; readonly url: string }[]
  /** Base of relative image URLs. */
  readonly publicUrl: string
  readonly sender: MailSender
}

/** Loads the letterhead of a mail. */
export type LoadLetterhead = (
  reader: Reader,
  mail: { readonly storeIds: readonly string[]; readonly locale: string; readonly now: Date },
) => Promise<Letterhead>

/** The bodies with the name, logo and colors of the sender, and its address, contact and documents at the end. */
export function withLetterhead({ text, html: body }: MailBodies, letterhead: Letterhead): MailBodies {
  const { name, stores, colors, imprint, footer, publicUrl } = letterhead
  const who = stores.length > 1 ? `${name}: ${stores.join(', ')}` : name
  const lines = footer.map(({ label, url }) =>
    /^(mailto|tel):/.test(url) || url === label ? label : `${label}: ${url}`,
  )
  const signed = text.replace(/\n-- \n[^\n]*\n$/, () => `\n-- \n${[who, ...imprint, ...lines].join('\n')}\n`)
  const parts = {
    [MARKS.head]: headOf(letterhead),
    [MARKS.foot]: footOf(letterhead),
    [MARKS.style]: mailStyle(colors ?? DEFAULT_PALETTES),
  }
  const marked = Object.entries(parts).reduce((page, [mark, part]) => page.replace(mark, () => part.text), body)
  return { text: signed, html: recolored(marked, colors).replaceAll(IMAGE_BASE, () => `src="${publicUrl}/`) }
}

const ROLES = ['paper', 'card', 'ink', 'soft', 'line', 'accent', 'onAccent'] as const

/** Colors are replaced in style attributes only: no text can contain one, because its quotes are escaped. */
function recolored(page: string, colors: Letterhead['colors']): string {
  if (colors === null) return page
  const ours = new Map(ROLES.map((role) => [DEFAULT_PALETTES.light[role], colors.light[role]]))
  return page.replaceAll(/ style="[^"]*"/g, (style) =>
    style.replaceAll(/#[0-9a-f]{6}/g, (color) => ours.get(color) ?? color),
  )
}

const { ink, soft, line, accent } = DEFAULT_PALETTES.light

function headOf({ name, stores, logoUrl, publicUrl }: Letterhead): Html {
  const logo =
    logoUrl !== null &&
    html`<img src="${new URL(logoUrl, publicUrl).href}" alt="" width="44" height="44" style="vertical-align:middle;margin-right:12px;border:0;border-radius:8px;">`
  return html`<p class="ink" style="font-size:19px;line-height:1.3;font-weight:600;margin:0;color:${ink};overflow-wrap:anywhere;">${logo}<span dir="auto">${name}</span>${
    stores.length > 1 &&
    html`<br><span class="soft" dir="auto" style="font-size:15px;font-weight:400;color:${soft};">${stores.join(', ')}</span>`
  }</p>`
}

function footOf({ name, imprint, footer }: Letterhead): Html {
  const links = footer.map(
    ({ label, url }, index) =>
      html`${index > 0 && ' · '}<a class="link" href="${url}" style="color:${accent};">${label}</a>`,
  )
  const lines = imprint.map((each) => html`<br><span dir="auto">${each}</span>`)
  return html`<p class="soft line" style="margin:16px 0 0;padding:16px 0 8px;border-top:1px solid ${line};font-size:14px;line-height:1.55;color:${soft};overflow-wrap:anywhere;"><strong dir="auto">${name}</strong>${lines}${
    links.length > 0 && html`<br>${links}`
  }</p>`
}

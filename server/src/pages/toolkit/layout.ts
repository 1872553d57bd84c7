import type { Seller, SellerContact } from '../../features/storefront/index.ts'
import { LEGAL_PATH } from '../../features/storefront/index.ts'
import { type Html, html } from '../../kernel/html.ts'
import { LANGUAGE_CODES, LANGUAGES } from '../../kernel/languages/languages.ts'
import type { Language, Texts } from './languages.ts'
import type { PageWidth } from './page-route.ts'
import { script } from './script.ts'
import { stylesheet } from './stylesheet.ts'
import type { ThemeStyle } from './theme.ts'

const texts: Texts<'skip' | 'languages' | 'error' | 'legal' | 'contact' | 'by' | 'website'> = {
  en: {
    skip: 'Skip to content',
    languages: 'Language',
    error: 'Error',
    legal: 'Legal and contact',
    contact: 'Contact',
    by: 'with',
    website: 'Website',
  },
  de: {
    skip: 'Zum Inhalt',
    languages: 'Sprache',
    error: 'Fehler',
    legal: 'Rechtliches und Kontakt',
    contact: 'Kontakt',
    by: 'mit',
    website: 'Website',
  },
}

interface PageContent {
  readonly title: string
  readonly language: Language
  /** The content, starting with its h1. */
  readonly main: Html
  readonly seller: Seller
  /** The theme of the seller; `null` for the default one. */
  readonly theme: ThemeStyle | null
  /** The absolute URL of the seller's logo. */
  readonly logoUrl: string | null
  /** A path of the pages door in the requested language. */
  link(path: string, query?: Readonly<Record<string, string>>): string
  /** URLs of the page by language. Absent for responses to forms. */
  readonly alternatives?: Readonly<Record<Language, string>> | undefined
  /** Prefixes the title, which screen readers announce first. */
  readonly hasErrors?: boolean | undefined
  readonly hasScript?: boolean | undefined
  readonly width?: PageWidth | undefined
}

const PAPER = { light: '#f6f4ef', dark: '#151412' }

/** Render an HTML document: one stylesheet, the colors of the seller, and a script only if the page needs it. */
export function page(content: PageContent): string {
  const { title, language, main, seller, theme, alternatives, hasErrors, hasScript, width } = content
  const words = texts[language]
  const paper = theme?.paper ?? PAPER
  const { text } = html`<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${hasErrors && `${words.error}: `}${title} · ${seller.name}</title>
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${paper.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${paper.dark}" media="(prefers-color-scheme: dark)">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet.path}">
${theme && html`<style>${theme.css}</style>`}
${hasScript && html`<script src="${script.path}" defer></script>`}
</head>
<body${width !== undefined && width !== 'narrow' && html` class="${width}"`}>
<a class="skip" href="#content">${words.skip}</a>
${header(content)}
<main id="content" tabindex="-1">
${main}
</main>
<footer>${legalLinks(content)}${alternatives && languageLinks(language, alternatives)}</footer>
</body>
</html>`
  return `<!doctype html>\n${text}\n`
}

/** The seller: the store, or the marketplace with its stores. */
function header({ seller, logoUrl, language }: PageContent): Html {
  const { name, stores } = seller
  const others = stores.length > 1 && new Intl.ListFormat(language, { type: 'conjunction' }).format(stores)
  return html`<header><span class="name${logoUrl !== null && ' with-logo'}">${
    logoUrl !== null && html`<img src="${logoUrl}" alt="" width="40" height="40">`
  }<span>${name}</span></span>${others && html`<p class="stores">${texts[language].by} ${others}</p>`}</header>`
}

const CONTACTS_MAX = 2

/** Links to the imprint, the terms and other documents in force, and the contact of the seller. */
function legalLinks({ seller, language, link }: PageContent): Html | null {
  const { documents, contact } = seller
  if (documents.length + contact.length === 0) return null
  const words = texts[language]
  return html`<nav aria-label="${words.legal}"><ul>
${documents.map(({ id, title }) => html`<li><a href="${link(LEGAL_PATH, { document: id })}">${title}</a></li>\n`)}
${contact
  .filter(({ type, url }) => url !== undefined && REACHABLE.has(type))
  .slice(0, CONTACTS_MAX)
  .map((each) => html`<li>${contactLink(each, language)}</li>\n`)}
</ul></nav>
`
}

const REACHABLE = new Set<SellerContact['type']>(['email', 'phone', 'form', 'chat'])

/** A link that opens a contact channel. */
function contactLink({ type, value, url }: SellerContact, language: Language): Html {
  const { website } = texts[language]
  return html`<a href="${url ?? value}">${type === 'form' ? website : value}</a>`
}

function languageLinks(current: Language, alternatives: Readonly<Record<Language, string>>): Html {
  return html`<nav aria-label="${texts[current].languages}"><ul>
${LANGUAGE_CODES.map((code) =>
  code === current
    ? html`<li><span aria-current="true" lang="${code}">${LANGUAGES[code]}</span></li>`
    : html`<li><a href="${alternatives[code]}" hreflang="${code}" lang="${code}">${LANGUAGES[code]}</a></li>`,
)}
</ul></nav>`
}

/** A check mark, decorative. */
export const doneMark: Html = html`<svg class="mark" viewBox="0 0 48 48" fill="none" stroke="currentColor" stroke-width="2.5"
 stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="24" cy="24" r="21"/><path d="m15 24.5 6.5 6.5L34 18"/></svg>`

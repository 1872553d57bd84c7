import { type Html, html } from '../../kernel/html.ts'
import { LANGUAGES, type Language, type Texts } from './languages.ts'
import type { PageWidth } from './page-route.ts'
import { stylesheet } from './stylesheet.ts'

const texts: Texts<'skip' | 'languages' | 'error'> = {
  en: { skip: 'Go to the content', languages: 'Language', error: 'Error' },
  de: { skip: 'Zum Inhalt', languages: 'Sprache', error: 'Fehler' },
}

export interface PageDeps {
  readonly title: string
  readonly language: Language
  /** What the page is about, beginning with its h1. */
  readonly main: Html
  /** Whose pages these are. */
  readonly siteName: string
  /** The same page in each language; none for a page that cannot be asked for again. */
  readonly alternatives?: Readonly<Record<Language, string>> | undefined
  /** Said in the title, so that a screen reader tells it first. */
  readonly hasErrors?: boolean | undefined
  readonly width?: PageWidth | undefined
}

/** A whole page. It has one style, no script, and works without either. */
export function page(parts: PageDeps): string {
  const { title, language, main, siteName, alternatives, hasErrors, width } = parts
  const words = texts[language]
  const { text } = html`<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${hasErrors && `${words.error}: `}${title} · ${siteName}</title>
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f6f4ef" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#151412" media="(prefers-color-scheme: dark)">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet.path}">
</head>
<body${width !== undefined && width !== 'narrow' && html` class="${width}"`}>
<a class="skip" href="#content">${words.skip}</a>
<header><span class="name">${siteName}</span></header>
<main id="content" tabindex="-1">
${main}
</main>
<footer>${alternatives && languageLinks(language, alternatives)}</footer>
</body>
</html>`
  return `<!doctype html>\n${text}\n`
}

function languageLinks(current: Language, alternatives: Readonly<Record<Language, string>>): Html {
  const codes = Object.keys(LANGUAGES) as Language[]
  return html`<nav aria-label="${texts[current].languages}"><ul>
${codes.map((code) =>
  code === current
    ? html`<li><span aria-current="true" lang="${code}">${LANGUAGES[code]}</span></li>`
    : html`<li><a href="${alternatives[code]}" hreflang="${code}" lang="${code}">${LANGUAGES[code]}</a></li>`,
)}
</ul></nav>`
}

/** A tick in a circle: what was asked for was done. It says nothing that the heading does not. */
export const doneMark: Html = html`<svg class="mark" viewBox="0 0 48 48" fill="none" stroke="currentColor" stroke-width="2.5"
 stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="24" cy="24" r="21"/><path d="m15 24.5 6.5 6.5L34 18"/></svg>`

import { type Html, html } from '../../kernel/html.ts'
import { LANGUAGE_CODES, LANGUAGES } from '../../kernel/languages/languages.ts'
import type { Language, Texts } from './languages.ts'
import type { PageWidth } from './page-route.ts'
import { stylesheet } from './stylesheet.ts'

const texts: Texts<'skip' | 'languages' | 'error'> = {
  en: { skip: 'Skip to content', languages: 'Language', error: 'Error' },
  de: { skip: 'Zum Inhalt', languages: 'Sprache', error: 'Fehler' },
}

export interface PageContent {
  readonly title: string
  readonly language: Language
  /** The content, starting with its h1. */
  readonly main: Html
  readonly siteName: string
  /** URLs of the page by language. Absent for responses to forms. */
  readonly alternatives?: Readonly<Record<Language, string>> | undefined
  /** Prefixes the title, which screen readers announce first. */
  readonly hasErrors?: boolean | undefined
  readonly width?: PageWidth | undefined
}

/** Render an HTML document: one stylesheet, no script. */
export function page(content: PageContent): string {
  const { title, language, main, siteName, alternatives, hasErrors, width } = content
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

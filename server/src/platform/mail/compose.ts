import { type Html, html } from '../../kernel/html.ts'

/** What a mail says, whichever way it is shown. */
export interface MailContent {
  readonly language: string
  readonly siteName: string
  readonly title: string
  /** Each may have several lines. */
  readonly paragraphs: readonly string[]
  /** What is listed below them, such as what was bought. */
  readonly lists?: readonly MailList[]
  /** The one thing to do, if there is one. */
  readonly action?: { readonly label: string; readonly url: string }
  /** What stands below, smaller: how long a link works, and what to do if it was not you. */
  readonly closing: readonly string[]
}

/** Something that is listed, under its heading. */
export interface MailList {
  readonly heading: string
  readonly rows: readonly MailRow[]
}

/** A line of a list: a name alone, with what it comes to, or with where it leads. */
export interface MailRow {
  readonly label: string
  readonly value?: string
  readonly url?: string
  /** Said louder, as a sum is. */
  readonly isStrong?: boolean
}

/** A mail as text and as HTML, saying the same. */
export interface MailBodies {
  readonly text: string
  readonly html: string
}

const COLUMN = 'max-width:32rem;margin:0 auto;padding:2rem 1.25rem;'
const SANS = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;"
const BUTTON =
  'display:inline-block;padding:.75rem 1.5rem;border-radius:.625rem;background:#17594a;color:#ffffff;' +
  'font-weight:600;text-decoration:none;'
const CELL = 'padding:.2rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere;'
const AMOUNT = 'padding:.2rem 0 .2rem 1rem;text-align:right;vertical-align:top;'

/** Writes a mail. Styles stand on their elements, because many readers of mail know no others. No picture is loaded. */
export function composeMail(words: MailContent): MailBodies {
  const { language, siteName, title, paragraphs, lists = [], action, closing } = words
  const listed = lists.map(listAsText)
  const lines = [title, ...paragraphs, ...listed, ...(action ? [`${action.label}:\n${action.url}`] : []), ...closing]
  const { text: body } = html`<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<meta name="color-scheme" content="light dark"></head>
<body style="margin:0;${SANS}font-size:17px;line-height:1.55;">
<div style="${COLUMN}">
<p style="font-family:Georgia,serif;font-weight:600;">${siteName}</p>
<h1 style="font-family:Georgia,serif;font-size:26px;line-height:1.25;">${title}</h1>
${paragraphs.map((each) => html`<p style="white-space:pre-line;">${each}</p>`)}
${lists.map(listAsHtml)}
${action && html`<p style="margin:1.75rem 0;"><a href="${action.url}" style="${BUTTON}">${action.label}</a></p>`}
${closing.map((each) => html`<p style="font-size:15px;opacity:.8;">${each}</p>`)}
${action && html`<p style="font-size:13px;opacity:.8;overflow-wrap:anywhere;">${action.url}</p>`}
</div>
</body>
</html>`
  return { text: `${[...lines, `-- \n${siteName}`].join('\n\n')}\n`, html: `<!doctype html>\n${body}\n` }
}

function listAsText({ heading, rows }: MailList): string {
  return [`${heading}:`, ...rows.map(({ label, value, url }) => [label, value, url].filter(Boolean).join(': '))].join(
    '\n',
  )
}

function listAsHtml({ heading, rows }: MailList): Html {
  return html`<h2 style="font-size:17px;margin:1.75rem 0 .25rem;">${heading}</h2>
<table style="width:100%;border-collapse:collapse;">
${rows.map(rowAsHtml)}</table>
`
}

function rowAsHtml({ label, value, url, isStrong = false }: MailRow): Html {
  const weight = `font-weight:${isStrong ? '600' : '400'};`
  const name = url === undefined ? html`${label}` : html`<a href="${url}">${label}</a>`
  if (value === undefined) return html`<tr><td colspan="2" style="${CELL}${weight}">${name}</td></tr>\n`
  return html`<tr><th scope="row" style="${CELL}${weight}">${name}</th><td style="${AMOUNT}${weight}">${value}</td></tr>\n`
}

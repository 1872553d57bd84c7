import { type Html, html } from '../../kernel/html.ts'

/** The content of a mail, for both bodies. */
export interface MailContent {
  readonly language: string
  readonly siteName: string
  readonly title: string
  /** Each may have several lines. */
  readonly paragraphs: readonly string[]
  /** Lists below the paragraphs, such as the items of an order. */
  readonly lists?: readonly MailList[]
  /** The call to action. */
  readonly action?: { readonly label: string; readonly url: string }
  /** Small print: how long a link works, and what to do if it was not you. */
  readonly closing: readonly string[]
}

/** A list with a heading. */
export interface MailList {
  readonly heading: string
  readonly rows: readonly MailRow[]
}

/** A row of a list: a label, with a value or a link. */
export interface MailRow {
  readonly label: string
  readonly value?: string
  readonly url?: string
  /** A picture, relative to the public URL or absolute: the same for every reader. */
  readonly image?: string | undefined
  /** Bold, such as a total. */
  readonly isStrong?: boolean
}

/** The same mail as text and as HTML. */
export interface MailBodies {
  readonly text: string
  readonly html: string
}

const COLUMN = 'max-width:32rem;margin:0 auto;padding:2rem 1.25rem;'
const SANS = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;"
/** Replaced on delivery, as the marks are. No text can contain a mark: it is escaped. */
export const DEFAULT_COLORS = 'background:#17594a;color:#ffffff;'
export const MARKS = { head: '<!-- head -->', foot: '<!-- foot -->', style: '<!-- style -->' } as const
export const IMAGE_BASE = 'src="/'
const BUTTON = `display:inline-block;padding:.75rem 1.5rem;border-radius:.625rem;${DEFAULT_COLORS}font-weight:600;text-decoration:none;`
const PICTURE = 'object-fit:cover;border-radius:6px;vertical-align:middle;margin-right:12px;'
const CELL = 'padding:.2rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere;'
const AMOUNT = 'padding:.2rem 0 .2rem 1rem;text-align:right;vertical-align:top;'

/** Composes a mail. Styles are inline, because many mail clients support no others. @see withLetterhead */
export function composeMail(content: MailContent): MailBodies {
  const { language, siteName, title, paragraphs, lists = [], action, closing } = content
  const listTexts = lists.map(listAsText)
  const lines = [title, ...paragraphs, ...listTexts, ...(action ? [`${action.label}:\n${action.url}`] : []), ...closing]
  const { text: body } = html`<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
${mark('style')}</head>
<body style="margin:0;${SANS}font-size:17px;line-height:1.55;">
<div style="${COLUMN}">
${mark('head')}
<h1 style="font-family:Georgia,serif;font-size:26px;line-height:1.25;">${title}</h1>
${paragraphs.map((each) => html`<p style="white-space:pre-line;">${each}</p>`)}
${lists.map(listAsHtml)}
${action && html`<p style="margin:1.75rem 0;"><a class="button" href="${action.url}" style="${BUTTON}">${action.label}</a></p>`}
${closing.map((each) => html`<p style="font-size:15px;opacity:.8;">${each}</p>`)}
${action && html`<p style="font-size:13px;opacity:.8;overflow-wrap:anywhere;">${action.url}</p>`}
${mark('foot')}
</div>
</body>
</html>`
  return { text: `${[...lines, `-- \n${siteName}`].join('\n\n')}\n`, html: `<!doctype html>\n${body}\n` }
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

function rowAsHtml({ label, value, url, image, isStrong = false }: MailRow): Html {
  const weight = `font-weight:${isStrong ? '600' : '400'};`
  const picture = image !== undefined && html`<img src="${image}" alt="" width="48" height="48" style="${PICTURE}">`
  const name = url === undefined ? html`${picture}${label}` : html`<a href="${url}">${label}</a>`
  if (value === undefined) return html`<tr><td colspan="2" style="${CELL}${weight}">${name}</td></tr>\n`
  return html`<tr><th scope="row" style="${CELL}${weight}">${name}</th><td style="${AMOUNT}${weight}">${value}</td></tr>\n`
}

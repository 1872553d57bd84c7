import { html } from '../../kernel/html.ts'

/** What a mail says, whichever way it is shown. */
export interface MailWords {
  readonly language: string
  readonly siteName: string
  readonly title: string
  readonly paragraphs: readonly string[]
  /** The one thing to do, if there is one. */
  readonly action?: { readonly label: string; readonly url: string }
  /** What stands below, smaller: how long a link works, and what to do if it was not you. */
  readonly closing: readonly string[]
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

/** Writes a mail. Styles stand on their elements, because many readers of mail know no others. No picture is loaded. */
export function composeMail({ language, siteName, title, paragraphs, action, closing }: MailWords): MailBodies {
  const lines = [title, ...paragraphs, ...(action ? [`${action.label}:\n${action.url}`] : []), ...closing]
  const { text: body } = html`<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<meta name="color-scheme" content="light dark"></head>
<body style="margin:0;${SANS}font-size:17px;line-height:1.55;">
<div style="${COLUMN}">
<p style="font-family:Georgia,serif;font-weight:600;">${siteName}</p>
<h1 style="font-family:Georgia,serif;font-size:26px;line-height:1.25;">${title}</h1>
${paragraphs.map((each) => html`<p>${each}</p>`)}
${action && html`<p style="margin:1.75rem 0;"><a href="${action.url}" style="${BUTTON}">${action.label}</a></p>`}
${closing.map((each) => html`<p style="font-size:15px;opacity:.8;">${each}</p>`)}
${action && html`<p style="font-size:13px;opacity:.8;overflow-wrap:anywhere;">${action.url}</p>`}
</div>
</body>
</html>`
  return { text: `${[...lines, `-- \n${siteName}`].join('\n\n')}\n`, html: `<!doctype html>\n${body}\n` }
}

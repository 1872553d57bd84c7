import { mailPage } from './layout.ts'

/** The content of a mail, for both bodies. */
export interface MailContent {
  readonly language: string
  readonly siteName: string
  readonly title: string
  /** A paragraph may have several lines. */
  readonly paragraphs: readonly string[]
  /** The call to action. */
  readonly action?: { readonly label: string; readonly url: string }
  /** Payment instructions, between the paragraphs and the lists. */
  readonly payment?: MailList & { readonly picture?: MailPicture }
  /** Lists below the paragraphs, such as the items of an order. */
  readonly lists?: readonly MailList[]
  /** The last paragraphs, below the lists. */
  readonly farewell?: readonly string[]
  /** Small print: how long a link works, and what to do if it was not you. */
  readonly closing: readonly string[]
}

/** A list with a heading. If no row has a value, link or picture, the rows are lines of text, such as an address. */
export interface MailList {
  readonly heading: string
  readonly rows: readonly MailRow[]
}

/** A row of a list: a label, with a value or a link. */
export interface MailRow {
  readonly label: string
  /** In smaller type below the label, such as the options of an item. */
  readonly details?: readonly string[]
  readonly value?: string
  readonly url?: string
  /** A picture, relative to the public URL or absolute: the same for every reader. */
  readonly image?: string | undefined
  /** Bold, such as a total. */
  readonly isStrong?: boolean
}

/** A picture that the mail needs, such as a QR code. */
export interface MailPicture {
  readonly url: string
  readonly alt: string
  /** Pixels of both sides. */
  readonly size: number
}

/** The same mail as text and as HTML. */
export interface MailBodies {
  readonly text: string
  readonly html: string
}

/** Composes a mail. @see withLetterhead for what is added on delivery */
export function composeMail(content: MailContent): MailBodies {
  const { siteName, title, paragraphs, action, payment, lists = [], farewell = [], closing } = content
  const parts = [
    title,
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...[...(payment ? [payment] : []), ...lists].map(listAsText),
    ...farewell,
    ...closing,
    `-- \n${siteName}`,
  ]
  return { text: `${parts.join('\n\n')}\n`, html: mailPage(content) }
}

function listAsText({ heading, rows }: MailList): string {
  return [`${heading}:`, ...rows.map(rowAsText)].join('\n')
}

function rowAsText({ label, details = [], value, url }: MailRow): string {
  const name = details.length === 0 ? label : `${label} (${details.join(', ')})`
  return [name, value, url].filter(Boolean).join(': ')
}

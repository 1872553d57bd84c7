import { lazily } from '../../kernel/async/lazily.ts'
import type { MailSender } from './senders.ts'

/** A mail to send. */
interface OutgoingMail {
  readonly id: string
  readonly sender: MailSender
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly MailAttachment[]
}

export interface MailAttachment {
  readonly filename: string
  readonly contentType: string
  readonly content: Buffer
}

/** Sends mails. Throws {@link MailFailure}. */
export interface MailTransport {
  /** @param signal ends the attempt: the timeouts of a connection only notice silence */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>
}

/** A mail was not accepted. The message contains no addresses, because it is logged and stored. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  /** The server rejected its recipient or its content permanently. @see RFC 5321 §4.2.1 */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

/** How long a server may be silent. */
const TIMEOUTS_MS = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 10_000, dnsTimeout: 5000 } as const

/** A mailbox with its display name, as in `Shop <shop@example.com>`. */
interface Mailbox {
  readonly name: string
  readonly address: string
}

function mailboxOf(text: string): Mailbox {
  const [, name = '', address = text] = /^([^<]*)<(.*)>$/.exec(text) ?? []
  return { name: name.trim(), address }
}

/** The sender that recipients see. `mailFrom` is that of the installation. */
function visibleSender({ name, address }: MailSender, mailFrom: string): Mailbox {
  const ours = mailboxOf(mailFrom)
  return { name: name ?? ours.name, address: address ?? ours.address }
}

/** The visible sender in one line: `Shop <shop@example.com>`. */
export function senderText(sender: MailSender, mailFrom: string): string {
  const { name, address } = visibleSender(sender, mailFrom)
  return name === '' ? address : `${name} <${address}>`
}

/** Loads the library with the first mail, not at the start. */
async function transporterTo(url: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({ url, ...TIMEOUTS_MS, disableFileAccess: true, disableUrlAccess: true })
}

/** Why the server or the account of a URL cannot be used; `null`: it can. Connects and signs in, and sends no mail. */
export async function smtpProblem(
  url: string,
): Promise<{ readonly isAccount: boolean; readonly message: string } | null> {
  const transporter = await transporterTo(url)
  try {
    await transporter.verify()
    return null
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { isAccount: code === 'EAUTH', message }
  } finally {
    transporter.close()
  }
}

/** @param url such as `smtp://user:password@mail.example:587` or `smtps://…` */
export function smtpTransport({ url, from }: { readonly url: string; readonly from: string }): MailTransport {
  const transporter = lazily(() => transporterTo(url))
  const { address: envelopeFrom } = mailboxOf(from)
  const host = envelopeFrom.split('@').at(-1)
  return {
    async send({ id, sender, recipient, subject, text, html, attachments }, signal) {
      try {
        await (await transporter()).sendMail({
          from: visibleSender(sender, from),
          to: { name: '', address: recipient },
          // The address of the installation, even if recipients see another one: bounces go there, and SPF is checked for its domain.
          envelope: { from: envelopeFrom, to: recipient },
          ...(sender.replyTo !== null && { replyTo: { name: '', address: sender.replyTo } }),
          subject,
          text,
          html,
          attachments: [...attachments],
          // Clients show no data URLs: pictures in them are attached.
          attachDataUrls: true,
          signal,
          // The same for every attempt, so that a duplicate can be recognized.
          messageId: `<${id}@${host}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        throw failureOf(error)
      }
    },
  }
}

/** Status codes about the sender or about a policy, such as a sender that the account may not use. @see RFC 3463 §3.2, §3.8 */
const ABOUT_SENDER = /^5\.(?:1\.[78]|7\.\d+)$/

/**
 * Contains only codes: the text of the server may contain the address. A refusal of the sender concerns every mail until an operator
 * mends the settings, so it is not final. Many servers give it only after `RCPT`, and only its status code tells the two apart.
 */
function failureOf(error: unknown): MailFailure {
  const {
    code = 'unknown',
    responseCode,
    command,
    response = '',
  } = error as {
    readonly code?: string
    readonly responseCode?: number
    readonly command?: string
    readonly response?: string
  }
  const [, status = ''] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  const answer = responseCode === undefined ? '' : `, answered ${responseCode}${status && ` ${status}`}`
  const isPermanent = responseCode !== undefined && responseCode >= 500
  const isFinal = isPermanent && /^(RCPT|DATA)/.test(command ?? '') && !ABOUT_SENDER.test(status)
  return new MailFailure(`${code}${command ? ` at ${command.split(' ')[0]}` : ''}${answer}`, isFinal)
}

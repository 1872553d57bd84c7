import type { Transporter } from 'nodemailer'

/** A mail as it leaves. */
export interface OutgoingMail {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Hands mails to somebody who delivers them. Fails with {@link MailFailure}. */
export interface MailTransport {
  send(mail: OutgoingMail): Promise<void>
}

/** Why a mail was not taken, in words that hold no address: they are logged and kept. */
export class MailFailure extends Error {
  override readonly name = 'MailFailure'
  /** The server says that it will never take it. @see RFC 5321 §4.2.1 */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

/** Four of these fit into the lease of a worker, so that no mail is sent twice because one server is slow. */
const TIMES_MS = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 10_000, dnsTimeout: 5000 } as const

/** @param url such as `smtp://user:password@mail.example:587` or `smtps://…` */
export function smtpTransport({ url, from }: { readonly url: string; readonly from: string }): MailTransport {
  let transporter: Promise<Transporter> | null = null
  // Loaded with the first mail: a start should not wait for it.
  const connect = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({ url, ...TIMES_MS, disableFileAccess: true, disableUrlAccess: true })
  }
  const host = /@([^>\s]+)>?$/.exec(from)?.[1] ?? 'localhost'
  return {
    async send({ id, recipient, subject, text, html }) {
      try {
        transporter ??= connect()
        await (await transporter).sendMail({
          from,
          to: { name: '', address: recipient },
          subject,
          text,
          html,
          // The same for each try: whoever gets it twice can tell.
          messageId: `<${id}@${host}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        throw failureOf(error)
      }
    },
  }
}

/** What the server said may hold the address, so its code alone is told. */
function failureOf(error: unknown): MailFailure {
  const {
    code = 'unknown',
    responseCode,
    command,
  } = error as {
    readonly code?: string
    readonly responseCode?: number
    readonly command?: string
  }
  const said = responseCode === undefined ? '' : `, answered ${responseCode}`
  const isFinal = responseCode !== undefined && responseCode >= 500 && /^(MAIL|RCPT|DATA)/.test(command ?? '')
  return new MailFailure(`${code}${command ? ` at ${command.split(' ')[0]}` : ''}${said}`, isFinal)
}

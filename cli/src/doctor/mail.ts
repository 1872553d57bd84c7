import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import type { Config } from '@vitrine/server'
import { doubtful, type Finding, well, wrong } from './finding.ts'

const ANSWER_MS_MAX = 5000
const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const

/** Checks that the mail server responds. Its password is only checked by sending a mail. */
export async function checkMail({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (smtpUrl === null) {
    return doubtful(
      'mail',
      'no SMTP_URL: mails stay here, vitrine mailbox list shows them',
      'Set SMTP_URL: otherwise no customer can confirm an address or is notified of an order.',
    )
  }
  const { protocol, hostname, port } = new URL(smtpUrl)
  const where = `${hostname}:${port || PORTS[protocol as keyof typeof PORTS]}`
  try {
    const greeting = await greetingOf(smtpUrl)
    if (greeting.startsWith('220')) return well('mail', `${where} greets`)
    return wrong(
      'mail',
      `${where} answers "${greeting.slice(0, 80)}"`,
      'Check that it is a mail server that accepts mail from this machine.',
    )
  } catch (error) {
    const remedy = 'Check SMTP_URL, the firewall, and whether this port requires smtps://.'
    return wrong('mail', `${where}: ${(error as Error).message}`, remedy)
  }
}

/** @see RFC 5321 §3.1: the server speaks first */
function greetingOf(url: string): Promise<string> {
  const { protocol, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const to = { host, port: Number(port || PORTS[protocol as keyof typeof PORTS]) }
  return new Promise((resolve, reject) => {
    const socket: Socket = protocol === 'smtps:' ? connectSecure({ ...to, servername: host }) : connectPlain(to)
    socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error('no greeting in time')))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('it closed the connection without a greeting')))
    socket.once('data', (bytes: Buffer) => {
      resolve(bytes.toString('latin1').trim())
      socket.end('QUIT\r\n')
    })
  })
}

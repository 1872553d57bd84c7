import { type Config, smtpProblem } from '@vitrine/server'
import { doubtful, type Finding, well, wrong } from './finding.ts'

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const

/** Checks that the mail server answers, and accepts the user and password. Sends no mail. */
export async function checkMail({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (smtpUrl === null) {
    return doubtful(
      'mail',
      'no SMTP_URL: mails stay here, vitrine mailbox list shows them',
      'Set SMTP_URL: otherwise no customer can confirm an address or is notified of an order.',
    )
  }
  const { protocol, hostname, port, username } = new URL(smtpUrl)
  const where = `${hostname}:${port || PORTS[protocol as keyof typeof PORTS]}`
  const problem = await smtpProblem(smtpUrl)
  if (problem === null)
    return well('mail', username === '' ? `${where} greets` : `${where} accepts the user and password`)
  const remedy = problem.isAccount
    ? 'Check the user and password in SMTP_URL: special characters are percent-encoded.'
    : 'Check SMTP_URL, the firewall, and whether this port requires smtps://.'
  return wrong('mail', `${where}: ${problem.message}`, remedy)
}

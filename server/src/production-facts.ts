import type { Config } from './config.ts'
import { isLoopback } from './kernel/loopback.ts'
import { readBackups } from './platform/backup/directory.ts'

/** An older restore says little about the backups of today. */
const DRILL_MS_MAX = 35 * 86_400_000

/**
 * The facts that contradict a readiness proof, as far as this process can see. For the same reasons, recording the proof is refused
 * and `vitrine doctor --production` fails. Pages that only their own machine reaches are a trial: nothing contradicts their proofs.
 */
export async function problemsOfProof(config: Config, code: string, now: Date): Promise<readonly string[]> {
  if (isLoopback(new URL(config.pagesUrl).hostname)) return []
  if (code === 'public_address_https') return addressProblems(config)
  if (code === 'mail_delivered') return config.smtpUrl === null ? ['SMTP_URL is not set: no email is sent.'] : []
  return code === 'backup_restored' ? drillProblems(config, now) : []
}

function addressProblems({ publicUrl, pagesUrl }: Config): string[] {
  const urls = Object.entries({ PUBLIC_URL: publicUrl, PAGES_URL: pagesUrl })
  return urls.filter(([, url]) => !url.startsWith('https:')).map(([name, url]) => `${name} is ${url}: not https.`)
}

/** Without a directory, backups are made by other means, and an operator vouches for them. */
async function drillProblems({ backup: { directory } }: Config, now: Date): Promise<string[]> {
  if (directory === null) return []
  const { drill } = await readBackups(directory, now)
  const isRecent = drill !== null && now.getTime() - Date.parse(drill.restoredAt) <= DRILL_MS_MAX
  return isRecent ? [] : ['No backup was restored in the last 35 days: run vitrine backups verify.']
}

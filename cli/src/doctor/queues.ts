import {
  endpointFigures,
  isUnknown,
  jobStats,
  mailStats,
  NO_RESPONSE_MESSAGES,
  newestEndpointUrls,
  outboundHttp,
  unsettledFigures,
} from '@vitrine/server'
import type { CommandDeps } from '../local-database.ts'
import { counted, doubtful, type Finding, well } from './finding.ts'

const LATE_MS_MAX = 5 * 60_000
const UNKNOWN_MS_MAX = 15 * 60_000
/** Endpoints whose hosts are asked: a wrong one of an integrator does not hide that the others answer. */
const ENDPOINTS_ASKED = 20
const CONNECTED_MS_MAX = 5000

/** Stuck work. It does not stop the service, but needs an operator. */
export async function checkQueues(deps: CommandDeps): Promise<readonly Finding[]> {
  const findings = [checkJobs(deps), checkPayments(deps), checkMails(deps), checkEndpoints(deps), checkEgress(deps)]
  return (await Promise.all<Finding | readonly Finding[]>(findings)).flat()
}

/** Two findings: jobs that have failed must not hide that no worker runs, nor the other way around. */
async function checkJobs({ database, now }: CommandDeps): Promise<readonly Finding[]> {
  const { due, dead, oldestDueAt } = await jobStats(database.reader, now())
  const lateMs = oldestDueAt ? now().getTime() - oldestDueAt.getTime() : 0
  return [
    dead === 0
      ? well('jobs', 'none failed permanently')
      : doubtful('jobs', `${dead} failed permanently`, 'vitrine job list shows why; vitrine job retry retries one.'),
    lateMs <= LATE_MS_MAX
      ? well('worker', due > 0 ? `${counted(due, 'job')} due, none for long` : 'no job is due')
      : doubtful(
          'worker',
          `${counted(due, 'job')} due, the longest for ${minutes(lateMs)}`,
          'No worker is running: start Vitrine, or one with --roles worker,operator.',
        ),
  ]
}

async function checkPayments({ database, now }: CommandDeps): Promise<Finding> {
  const figures = await unsettledFigures(database.reader)
  const unknown = figures.filter(({ status }) => isUnknown(status))
  const old = unknown.filter(({ oldestBegunAt }) => now().getTime() - oldestBegunAt.getTime() > UNKNOWN_MS_MAX)
  const count = (of: typeof figures) => of.reduce((sum, each) => sum + each.count, 0)
  if (old.length === 0)
    return well('payments', figures.length === 0 ? 'all are settled' : `${count(figures)} are in progress`)
  const environments = [...new Set(old.map(({ environment }) => environment))]
  const detail = `${count(old)} with an unknown outcome (${environments.join(', ')}), the oldest begun ${minutes(
    Math.max(...old.map(({ oldestBegunAt }) => now().getTime() - oldestBegunAt.getTime())),
  )} ago`
  const lists = environments.map((environment) => `vitrine payment list --environment ${environment}`)
  return doubtful('payments', detail, `${lists.join('; ')}; then docs/runbooks/stuck-payment.md.`)
}

async function checkMails({ database }: CommandDeps): Promise<Finding> {
  const { failed } = await mailStats(database.reader)
  if (failed === 0) return well('mails', 'none failed permanently')
  return doubtful('mails', `${failed} failed permanently`, 'vitrine mailbox list shows which.')
}

async function checkEndpoints({ database }: CommandDeps): Promise<Finding> {
  const figures = await endpointFigures(database.reader)
  const count = (status?: string) =>
    figures.filter((each) => status === undefined || each.status === status).reduce((sum, each) => sum + each.count, 0)
  const disabled = count('disabled')
  if (disabled === 0) return well('webhooks', `${counted(count(), 'endpoint')}, none disabled`)
  return doubtful(
    'webhooks',
    `${counted(count(), 'endpoint')}, ${disabled} disabled`,
    'vitrine webhook list shows why; then docs/runbooks/poison-webhook.md.',
  )
}

/** Whether this machine reaches the hosts of webhooks. A worker on another machine has a network of its own. */
async function checkEgress({ database, config }: CommandDeps): Promise<readonly Finding[]> {
  const urls = await newestEndpointUrls(database.reader, ENDPOINTS_ASKED)
  const hosts = [...new Map(urls.map((url) => [new URL(url).host, url])).values()]
  if (hosts.length === 0) return []
  const outbound = outboundHttp({ allowed: config.webhookAllowedTargets, timeoutMs: CONNECTED_MS_MAX })
  const reasons = await Promise.all(hosts.map((url) => outbound.connect(url)))
  outbound.close()
  const reached = reasons.filter((reason) => reason === null).length
  if (reached > 0)
    return [well('webhook hosts', `${reached} of ${counted(hosts.length, 'host')} can be reached from this machine`)]
  const problems = [...new Set(reasons)].map((reason) => NO_RESPONSE_MESSAGES[reason!])
  const detail = `none of ${counted(hosts.length, 'host')} can be reached from this machine: ${problems.join(' ')}`
  const remedy = 'Check the DNS of this machine, and that its firewall lets workers open https connections.'
  return [doubtful('webhook hosts', detail, remedy)]
}

function minutes(milliseconds: number): string {
  return counted(Math.round(milliseconds / 60_000), 'minute')
}

import { endpointFigures, isUnknown, jobStats, mailStats, unsettledFigures } from '@vitrine/server'
import type { CommandDeps } from '../local-database.ts'
import { doubtful, type Finding, well } from './finding.ts'

const LATE_MS_MAX = 5 * 60_000
const UNKNOWN_MS_MAX = 15 * 60_000

/** Stuck work. It does not stop the service, but needs an operator. */
export async function checkQueues(deps: CommandDeps): Promise<readonly Finding[]> {
  const findings = [checkJobs(deps), checkPayments(deps), checkMails(deps), checkEndpoints(deps)]
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
      ? well('worker', due > 0 ? `${due} jobs are due, none for long` : 'no job is due')
      : doubtful(
          'worker',
          `${due} jobs are due, the longest for ${minutes(lateMs)}`,
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
  if (disabled === 0) return well('webhooks', `${count()} endpoints, none disabled`)
  return doubtful(
    'webhooks',
    `${disabled} of ${count()} endpoints are disabled`,
    'vitrine webhook list shows why; then docs/runbooks/poison-webhook.md.',
  )
}

function minutes(milliseconds: number): string {
  return `${Math.round(milliseconds / 60_000)} minutes`
}

import { listDeadJobs, retryDeadJob } from '@vitrine/server'
import { CommandError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { columns, type Output } from '../output.ts'

const LISTED_MAX = 200

/** `vitrine job list`: work that was given up, with its last error. */
export async function listJobsCommand(output: Output): Promise<void> {
  const jobs = await inHouse(output, ({ database }) => listDeadJobs(database.reader, LISTED_MAX))
  const head = ['ID', 'GIVEN UP', 'KIND', 'SUBJECT', 'ATTEMPTS', 'LAST ERROR']
  const lines = jobs.map((job) => [
    job.id,
    job.deadAt.toISOString(),
    job.kind,
    job.subject,
    String(job.attempts),
    job.lastError ?? '',
  ])
  output.result(jobs, jobs.length > 0 ? columns([head, ...lines]) : ['No job was given up.'])
}

/** `vitrine job retry ID`: lets work that was given up run again. */
export async function retryJobCommand(id: string, output: Output): Promise<void> {
  const isThere = await inHouse(output, ({ database, now }) =>
    database.transaction((tx) => retryDeadJob(tx, id, now())),
  )
  if (!isThere) throw new CommandError(`No job ${id} was given up.`)
  output.result({ id }, [`${id} runs again as soon as a worker has a hand free.`])
}

import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '@vitrine/server/config'
import { findDoor } from './doors.ts'
import { type OperatorClient, operatorClient } from './operator-client.ts'
import { operatorToken } from './operator-token.ts'
import type { Output } from './output.ts'

const ANSWERS_WITHIN_MS = 2000

const LOOK_MS = 250

/**
 * Runs work with the operator door of the running server of this data directory. If none is running, this process opens a door
 * for itself, and runs the import jobs of the command.
 */
export async function atOperatorDoor<Result>(
  output: Output,
  work: (operator: OperatorClient) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(output.io.env)
  const url = await findDoor(config, 'operator')
  if (url !== null && (await isAnswering(url))) {
    return work(operatorClient({ url, token: await operatorToken(config.dataDirectory) }))
  }
  const [{ withDatabase }, { createApp, IMPORT_JOB, JobRunner, logger, systemClock }] = await Promise.all([
    import('./local-database.ts'),
    import('@vitrine/server'),
  ])
  return withDatabase(output, async ({ database, ids, randomness }) => {
    const log = logger('error')
    const app = await createApp({ config, database, clock: systemClock, randomness, log })
    const imports = Object.fromEntries(Object.entries(app.jobs).filter(([kind]) => kind === IMPORT_JOB))
    const worker = new JobRunner(imports, { database, clock: systemClock, ids, log })
    const token = randomBytes(32).toString('base64url')
    const door = await app.operatorDoor({ token, isReady: async () => true })
    const client = operatorClient({ url: await door.listen({ host: '127.0.0.1', port: 0 }), token })
    let isWorking = true
    let importing: Promise<void> | null = null
    // A worker that fails ends the command, which would otherwise wait for its import forever.
    const failed = Promise.withResolvers<never>()
    async function runImports(): Promise<void> {
      while (isWorking) {
        await worker.runDue()
        await pause(LOOK_MS)
      }
      await worker.runDue()
    }
    try {
      const working = work({
        ...client,
        async upload(...file) {
          const answer = await client.upload(...file)
          importing ??= runImports()
          importing.catch(failed.reject)
          return answer
        },
      })
      return await Promise.race([working, failed.promise])
    } finally {
      isWorking = false
      try {
        await importing
      } finally {
        await door.close()
        await app.stop()
      }
    }
  })
}

/** A process that was killed leaves its doors in the file, and another process may have its pid. */
async function isAnswering(url: string): Promise<boolean> {
  return fetch(`${url}/livez`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

import { randomBytes } from 'node:crypto'
import { readConfig } from '@vitrine/server/config'
import { findDoor } from './doors.ts'
import { type OperatorClient, operatorClient } from './operator-client.ts'
import { operatorToken } from './operator-token.ts'
import type { Output } from './output.ts'

const ANSWERS_WITHIN_MS = 2000

/**
 * Works through the operator door of the server that runs on this data directory. If none runs, this process serves the door
 * for itself.
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
  const [{ withDatabase }, { createApp, logger, systemClock }] = await Promise.all([
    import('./local-database.ts'),
    import('@vitrine/server'),
  ])
  return withDatabase(output, async ({ database, randomness }) => {
    const app = await createApp({ config, database, clock: systemClock, randomness, log: logger('error') })
    const token = randomBytes(32).toString('base64url')
    const door = await app.operatorDoor({ token, isReady: async () => true })
    try {
      return await work(operatorClient({ url: await door.listen({ host: '127.0.0.1', port: 0 }), token }))
    } finally {
      await door.close()
      await app.stop()
    }
  })
}

/** A process that was killed leaves its doors in the file, and another may have its number. */
async function isAnswering(url: string): Promise<boolean> {
  return fetch(`${url}/livez`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

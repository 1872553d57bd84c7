import {
  createApp,
  IMPORT_JOB,
  idSource,
  JobRunner,
  logger,
  openDatabase,
  readConfig,
  systemClock,
  systemRandomness,
} from '@vitrine/server'
import { forgetDoors, recordDoors } from '../../../cli/src/doors.ts'
import { operatorToken } from '../../../cli/src/operator-token.ts'
import { atFileEnd } from '../file-end.ts'
import { SEALING_KEY } from '../secrets.ts'

/**
 * Serves the operator API for the commands of a data directory, and runs their imports, like a running server. A command that finds it does
 * not load a server; test/cli/operator.test.ts covers commands without a running server.
 */
export async function serveOperatorApi(environment: {
  readonly DATABASE_URL: string
  readonly DATA_DIR: string
  readonly [name: string]: string
}): Promise<void> {
  const config = readConfig({ SEALING_KEY: SEALING_KEY.toString('base64'), ...environment })
  const database = openDatabase({ url: environment.DATABASE_URL })
  const [randomness, log] = [systemRandomness(), logger('error')]
  const app = await createApp({ config, database, clock: systemClock, randomness, log })
  const ids = idSource(systemClock, randomness)
  const worker = new JobRunner({ [IMPORT_JOB]: app.jobs[IMPORT_JOB]! }, { database, clock: systemClock, ids, log })
  worker.start()
  const token = await operatorToken(environment.DATA_DIR)
  const door = await app.operatorDoor({ token, isReady: () => database.isHealthy() })
  await recordDoors(config, { operator: await door.listen({ host: '127.0.0.1', port: 0 }) })
  atFileEnd(async () => {
    await worker.stop()
    await forgetDoors(config)
    await door.close()
    await app.stop()
    await database.close()
  })
}

/** A process of its own that runs the embedded PostgreSQL in the folder it is given, until its input ends. */
import { startEmbedded } from '../../../server/src/platform/postgres/index.ts'

const [dataDir = ''] = process.argv.slice(2)
const embedded = await startEmbedded({ dataDir, durable: false })
process.stdout.write(`${embedded.url}\n`)
process.stdin.resume().on('end', () => embedded.stop())

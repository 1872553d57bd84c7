/** A process that runs the embedded PostgreSQL in the given folder until its standard input ends. */
import { startEmbedded } from '../../../server/src/platform/postgres/index.ts'

const [dataDir = ''] = process.argv.slice(2)
const embedded = await startEmbedded({ dataDir, durable: false })
process.stdout.write(`${embedded.url}\n`)
process.stdin.resume().on('end', () => embedded.stop())

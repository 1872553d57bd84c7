/**
 * Runs Vitrine on a PostgreSQL with failover, on this machine: `npm run cluster`.
 *
 *   npm run cluster                        two nodes, in a folder that is removed at the end
 *   npm run cluster -- --folder=/srv/try   in this folder, which is kept
 *   npm run cluster -- --network=127.0.7   on the loopback addresses 127.0.7.*, for a second cluster
 *
 * See README.md.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Cluster, NETWORK } from './cluster.ts'
import { Nodes } from './nodes.ts'
import { findPrograms } from './programs.ts'
import { PROXY_PORTS } from './proxy.ts'

const { values } = parseArgs({ options: { folder: { type: 'string' }, network: { type: 'string', default: NETWORK } } })
const { network } = values

async function folderOf(named: string | undefined): Promise<string> {
  return named === undefined ? mkdtemp(join(tmpdir(), 'vitrine-cluster-')) : resolve(named)
}

async function linesOf(cluster: Cluster): Promise<string[]> {
  const [primary, synchronous] = await Promise.all([cluster.machineOf('primary'), cluster.machineOf('synchronous')])
  return Promise.all(
    cluster.machines.map(async (machine) => {
      const role = machine === primary ? 'primary' : machine === synchronous ? 'synchronous' : 'asynchronous'
      const { patroni, etcd } = machine
      return `${machine.name}        ${machine.address}   ${role.padEnd(12)} PostgreSQL ${await machine.postmasterPid()}, Patroni ${patroni.pid}, etcd ${etcd.pid}`
    }),
  )
}

async function main(): Promise<void> {
  await findPrograms()
  const folder = await folderOf(values.folder)
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  })
  console.log(`Starting three machines of etcd, Patroni and PostgreSQL in ${folder}.`)
  const proxyAddress = `${network}.1`
  const addresses = [`${network}.21`, `${network}.22`]
  const cluster = await Cluster.start({ folder, network, nodes: addresses })
  try {
    console.log('Starting two nodes with the demo.')
    const nodes = await Nodes.start(cluster, proxyAddress, addresses)
    try {
      const shared = `public http://${proxyAddress}:${PROXY_PORTS.public}, pages http://${proxyAddress}:${PROXY_PORTS.pages}`
      const lines = [...(await linesOf(cluster)), ...nodes.lines(), `haproxy    ${proxyAddress}    ${shared}`]
      console.log(`\n${lines.join('\n')}\n`)
      console.log(`Try: patronictl -c ${join(folder, 'pg1', 'patroni.json')} list`)
      console.log(`     kill -9 any of these processes: they are started again, and a killed primary is replaced.`)
      console.log('Ctrl+C stops everything.')
      await stopped
      console.log('Stopping.')
    } finally {
      await nodes.stop()
    }
  } finally {
    await cluster.stop()
    if (values.folder === undefined) await rm(folder, { recursive: true, force: true })
    else console.log(`Kept: ${folder}`)
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

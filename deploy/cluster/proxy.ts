import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ClusterFacts, PATRONI_PORT, POSTGRES_PORT } from './machine.ts'
import { Part } from './part.ts'

/** The ports of HAProxy. */
export const PROXY_PORTS = { writes: 5000, reads: 5001, public: 8080, pages: 8081 } as const
/** The ports of each node, on its own address. */
export const NODE_PORTS = { public: 8080, pages: 8081, operator: 8082, shop: 8083 } as const

/** Writes the settings of HAProxy, which sends writes to the primary and reads to the standbys. */
export async function prepareProxy(
  { programs, folder, addresses }: ClusterFacts,
  address: string,
  nodes: readonly string[],
): Promise<Part> {
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, settingsOf(addresses, address, nodes))
  return new Part({ name: 'haproxy', program: programs.haproxy, args: ['-db', '-f', file], folder })
}

/** The doors that shoppers and integrators use. */
const SHARED_DOORS = ['public', 'pages'] as const

function settingsOf(machines: readonly string[], address: string, nodes: readonly string[]): string {
  const servers = machines
    .map((each, at) => `  server pg${at + 1} ${each}:${POSTGRES_PORT} check port ${PATRONI_PORT}`)
    .join('\n')
  return `global
  maxconn 4000

defaults
  mode tcp
  # For idle connections of a pool: Vitrine closes them after 60 s, and its listener sends a query every 30 s.
  timeout client 30m
  timeout server 30m
  timeout connect 2s
  timeout check 1s
  # If the Patroni check of a machine fails, all connections to it are closed, even if its PostgreSQL still answers.
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions

listen writes
  bind ${address}:${PROXY_PORTS.writes}
  option httpchk OPTIONS /primary
  http-check expect status 200
${servers}

frontend reads
  bind ${address}:${PROXY_PORTS.reads}
  use_backend writes if { nbsrv(standbys) eq 0 }
  default_backend standbys

backend standbys
  balance leastconn
  option httpchk OPTIONS /replica?lag=16MB
  http-check expect status 200
${servers}
${nodes.length === 0 ? '' : SHARED_DOORS.map((door) => sectionOf(door, address, nodes)).join('')}`
}

function sectionOf(door: (typeof SHARED_DOORS)[number], address: string, nodes: readonly string[]): string {
  const servers = nodes.map(
    (node, at) => `  server node${at + 1} ${node}:${NODE_PORTS[door]} check port ${NODE_PORTS.operator}`,
  )
  return `
listen ${door}
  bind ${address}:${PROXY_PORTS[door]}
  mode http
  option httpchk GET /readyz
  http-check expect status 200
  option forwardfor
  # A request that could not be sent goes to the other node. The client has to repeat one that was sent, with its key.
  option redispatch 1
  retries 2
${servers.join('\n')}
`
}

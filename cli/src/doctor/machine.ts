import { readdir, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Config, isLocal, ROLES } from '@vitrine/server'
import { samePort, sharedPort } from '../doors.ts'
import { doubtful, type Finding, well, wrong } from './finding.ts'

const NODE_MIN = [22, 18] as const

export function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const fits = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])
  const detail = `Node ${process.versions.node}`
  return fits ? well('node', detail) : wrong('node', detail, `Install Node ${NODE_MIN.join('.')} or later.`)
}

export function checkPublicUrl({ publicUrl }: Config): Finding {
  if (publicUrl.startsWith('https://')) return well('public address', `${publicUrl} is https`)
  const detail = `${publicUrl} is not https: fine on your own machine, not for real customers`
  return doubtful(
    'public address',
    detail,
    'Put a proxy with a certificate in front, and set PUBLIC_URL and PAGES_URL.',
  )
}

/** Only a proxy speaks https: the doors speak http. */
export function checkProxies(config: Config): readonly Finding[] {
  return [checkShopProxies(config), ...checkOperatorProxies(config)]
}

function checkShopProxies({ publicUrl, trustedProxies }: Config): Finding {
  if (!publicUrl.startsWith('https://')) return well('proxies', 'none needed without https')
  if (trustedProxies > 0) return well('proxies', `${trustedProxies} in front`)
  const detail = 'PUBLIC_URL is https, so a proxy is in front, and TRUSTED_PROXIES is 0: all clients share its address'
  return doubtful('proxies', detail, 'Set TRUSTED_PROXIES to the number of proxies: see docs/guides/production.md.')
}

function checkOperatorProxies({ operatorUrl, operatorProxies }: Config): readonly Finding[] {
  if (!operatorUrl.startsWith('https://')) return []
  const { rules } = operatorProxies
  if (rules.length > 0) return [well('operator proxies', rules.join(', '))]
  const detail = 'OPERATOR_URL is https, so a proxy is in front, and none is trusted: all operators share its address'
  return [doubtful('operator proxies', detail, 'Set OPERATOR_PROXIES to its address: see docs/guides/production.md.')]
}

const DOORS = ['public', 'pages', 'operator'] as const

/** A port in use is fine if a Vitrine server uses it, which its health endpoint shows. The demo also opens its shop. */
export async function checkPorts(config: Config): Promise<Finding> {
  const { host, operatorHost, ports } = config
  const shared = sharedPort(config, ROLES)
  if (shared !== null) return wrong('ports', shared, 'Give each door a port of its own.')
  const opened = isLocal(config) ? ([...DOORS, 'shop'] as const) : DOORS
  const sharedByShop = samePort(config, opened)
  if (sharedByShop !== null)
    return doubtful('ports', `${sharedByShop}: the example shop of the demo does not start`, 'Set another SHOP_PORT.')
  if (await isVitrine(operatorHost, ports.operator)) return well('ports', 'in use by Vitrine')
  const free = await Promise.all(opened.map((door) => isFree(door === 'operator' ? operatorHost : host, ports[door])))
  const taken = opened.filter((_, index) => !free[index])
  if (taken.length === 0) return well('ports', opened.map((door) => ports[door]).join(', '))
  const detail = taken.map((door) => `${ports[door]} is taken by another program`).join('; ')
  const settings = taken.map((door) => `${door.toUpperCase()}_PORT`).join(', ')
  const report = taken.every((door) => door === 'shop') ? doubtful : wrong
  return report('ports', detail, `Stop it, or set ${settings}.`)
}

async function isVitrine(host: string, operatorPort: number): Promise<boolean> {
  try {
    const at = host.includes(':') ? `[${host}]` : host
    const response = await fetch(`http://${at}:${operatorPort}/livez`, { signal: AbortSignal.timeout(1000) })
    return ((await response.json()) as { status?: string }).status === 'alive'
  } catch {
    // Nothing is listening, or it is another program.
    return false
  }
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}

const MIB = 1024 * 1024
const FREE_BYTES_ENOUGH = 512 * MIB
/** With less free space, PostgreSQL stops at the next checkpoint. */
const FREE_BYTES_MIN = 64 * MIB

export async function checkDisk({ dataDirectory, databaseUrl }: Config): Promise<Finding> {
  const directory = await statfs(dataDirectory).catch(() => statfs('.'))
  const free = directory.bavail * directory.bsize
  const detail = `${Math.floor(free / MIB).toLocaleString('en')} MiB free for ${dataDirectory}`
  if (free >= FREE_BYTES_ENOUGH) return well('disk', detail)
  const remedy = 'Free some space, or move DATA_DIR to a larger disk.'
  return free < FREE_BYTES_MIN && databaseUrl === null
    ? wrong('disk', detail, remedy)
    : doubtful('disk', detail, remedy)
}

/** Files of the data directory that grant access. */
const SECRET_FILES = /^(operator-token|setup-link|sealing-key|webhook-secret-key|simulator-secret|demo-.*\.json)$/
const OTHERS = 0o077

/** Checks that key files are readable by their owner only. */
export async function checkFiles({ dataDirectory }: Config): Promise<Finding> {
  const names = (await readdir(dataDirectory).catch(() => [])).filter((name) => SECRET_FILES.test(name))
  const modes = await Promise.all(names.map(async (name) => (await stat(join(dataDirectory, name))).mode))
  const open = names.filter((_, index) => ((modes[index] ?? 0) & OTHERS) !== 0)
  if (open.length === 0) {
    return well(
      'key files',
      names.length > 0 ? `${names.join(', ')}: readable by this user only` : 'there are none yet',
    )
  }
  const paths = open.map((name) => `'${join(dataDirectory, name)}'`).join(' ')
  return wrong(
    'key files',
    `other users may read ${open.join(', ')}`,
    `chmod 600 ${paths}, and replace the exposed keys.`,
  )
}

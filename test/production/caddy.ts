import { execFile, spawn } from 'node:child_process'
import dns from 'node:dns'
import { once } from 'node:events'
import { chmod, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { atFileEnd } from '../support/file-end.ts'

const call = promisify(execFile)
const CADDYFILE = join(import.meta.dirname, '../../deploy/production/Caddyfile')

export interface CaddyOptions {
  readonly folder: string
  readonly httpsPort: number
  readonly httpPort: number
  readonly adminPort: number
}

/** Caddy with the documented Caddyfile, and certificates from a test authority instead of a public one. */
export interface Caddy {
  readonly publicUrl: string
  readonly pagesUrl: string
  /** Sets the nodes that receive requests from now on. */
  useNodes(a: string, b: string): Promise<void>
}

export const API_HOST = 'api.shop.localhost'
export const PAGES_HOST = 'pay.shop.localhost'

/** A certificate authority for this test, which this process trusts. Child processes trust it through NODE_EXTRA_CA_CERTS. */
export async function makeAuthority(folder: string): Promise<string> {
  const [key, certificate] = [join(folder, 'authority.key'), join(folder, 'authority.pem')]
  const subject = [
    '-subj',
    '/CN=Authority of a test',
    '-addext',
    'basicConstraints=critical,CA:TRUE',
    '-addext',
    'keyUsage=critical,keyCertSign,cRLSign',
  ]
  await call('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-keyout',
    key,
    '-out',
    certificate,
    ...subject,
  ])
  await chmod(key, 0o600)
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), await readFile(certificate, 'utf8')])
  return certificate
}

/** Resolves names below `localhost` to this machine. @see RFC 6761 §6.3 */
export function resolveLocalNames(): void {
  const { lookup } = dns
  // biome-ignore lint/suspicious/noExplicitAny: it has eight forms
  const local: any = (name: string, ...rest: unknown[]) =>
    (lookup as (...args: unknown[]) => void)(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest)
  dns.lookup = Object.assign(local, lookup)
}

export async function startCaddy(options: CaddyOptions, nodes: readonly [string, string]): Promise<Caddy> {
  const { folder, httpsPort, httpPort, adminPort } = options
  const config = join(folder, 'Caddyfile')
  const own = `{
	admin 127.0.0.1:${adminPort}
	storage file_system ${join(folder, 'caddy')}
	http_port ${httpPort}
	https_port ${httpsPort}
	local_certs
	skip_install_trust
	pki {
		ca local {
			root {
				cert ${join(folder, 'authority.pem')}
				key ${join(folder, 'authority.key')}
			}
		}
	}
}
`
  await writeFile(config, own + (await readFile(CADDYFILE, 'utf8')))
  const environment = ([a, b]: readonly [string, string]) => ({
    PATH: process.env.PATH ?? '',
    HOME: folder,
    API_HOST,
    PAGES_HOST,
    NODE_A: a,
    NODE_B: b,
  })
  const file = ['--config', config, '--adapter', 'caddyfile']
  const log = await open(join(folder, 'caddy.log'), 'a')
  const caddy = spawn('caddy', ['run', ...file], { env: environment(nodes), stdio: ['ignore', log.fd, log.fd] })
  atFileEnd(async () => {
    caddy.kill('SIGTERM')
    if (caddy.exitCode === null) await once(caddy, 'exit')
    await log.close()
  })
  await isOpen(`http://127.0.0.1:${adminPort}/config/`)
  return {
    publicUrl: `https://${API_HOST}:${httpsPort}`,
    pagesUrl: `https://${PAGES_HOST}:${httpsPort}`,
    async useNodes(a, b) {
      await call('caddy', ['reload', ...file, '--address', `127.0.0.1:${adminPort}`], { env: environment([a, b]) })
    },
  }
}

const OPEN_MS_MAX = 20_000

async function isOpen(url: string): Promise<void> {
  const endsAt = performance.now() + OPEN_MS_MAX
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (performance.now() > endsAt) throw new Error(`${url} does not answer: see caddy.log.`)
    await pause(100)
  }
}

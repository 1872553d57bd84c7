import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** Why a URL is not a valid target. */
export type TargetProblem = 'not_a_url' | 'not_https' | 'userinfo' | 'not_public'

/** Hosts and ports that the operator allows in any network, in the form of `targetKey`: `localhost:9000`. */
export type AllowedTargets = ReadonlySet<string>

const HTTPS_PORT = '443'
const HTTP_PORT = '80'

/** Names reserved for this machine or its network. @see RFC 6761 §6.3, RFC 6762 §3, RFC 8375, RFC 9476 */
const LOCAL_NAME = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home\.arpa|alt|onion)$/

/** The host and port of a URL, as in `AllowedTargets`. */
export function targetKey(url: URL): string {
  return `${hostOf(url)}:${url.port || (url.protocol === 'http:' ? HTTP_PORT : HTTPS_PORT)}`
}

/**
 * Why a third party's URL cannot be called, or `null`. This checks the URL only: whether its name resolves to public addresses
 * is checked at each call.
 *
 * @see docs/reference/rules.md#targets
 */
export function targetProblem(text: string, allowed: AllowedTargets): TargetProblem | null {
  // WHATWG reads 2130706433, 0x7f.1, 127.1 and ①27.0.0.1 all as 127.0.0.1, so that only one spelling has to be checked.
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'not_a_url'
  if (url.username !== '' || url.password !== '') return 'userinfo'
  if (allowed.has(targetKey(url))) return null
  if (url.protocol !== 'https:') return 'not_https'
  return isPublicHost(hostOf(url)) ? null : 'not_public'
}

function isPublicHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0) return isPublicAddress(bare)
  const name = bare.replace(/\.$/, '')
  // A name without a dot belongs to the local network.
  return name.includes('.') && !LOCAL_NAME.test(name)
}

/** The host without a trailing dot, which names the same host. */
function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '')
}

/**
 * Reads `host:port, host:port`.
 *
 * @throws Error that names the invalid entry
 */
export function readAllowedTargets(text: string): AllowedTargets {
  const entries = text.split(',').map((entry) => entry.trim())
  return new Set(entries.filter((entry) => entry !== '').map(readAllowedTarget))
}

function readAllowedTarget(entry: string): string {
  const port = /:(\d{1,5})$/.exec(entry)?.[1]
  const url = port === undefined ? null : URL.parse(`http://${entry}`)
  const isBare = url !== null && url.username === '' && url.pathname === '/' && url.search === '' && url.hash === ''
  if (!isBare || Number(port) === 0) throw new Error(`"${entry}" is not a host and a port such as localhost:9000`)
  return targetKey(url)
}

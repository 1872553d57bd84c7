import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * The client's address: that of the connection or, behind trusted proxies, the one that the outermost of them wrote into
 * X-Forwarded-For. Entries further left come from the client and are ignored.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const direct = request.socket.remoteAddress ?? ''
  if (trustedProxies === 0) return withoutIpv4Prefix(direct)
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
  const hops = [...forwarded.map((hop) => hop.trim()).filter(Boolean), direct]
  const seen = withoutIpv4Prefix(withoutPort(hops[Math.max(0, hops.length - 1 - trustedProxies)] ?? direct))
  // With fewer proxies than configured, this entry comes from the client.
  return isIP(seen) ? seen : withoutIpv4Prefix(direct)
}

/** Some gateways append the port of the client: `203.0.113.9:50123` or `[2001:db8::1]:50123`. */
function withoutPort(hop: string): string {
  return hop.replace(/^([\d.]+):\d+$|^\[([^\]]+)\](?::\d+)?$/, '$1$2')
}

function withoutIpv4Prefix(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '')
}

/** The key of a limit by address: an IPv4 address, or the /64 that an IPv6 customer usually has. */
export function addressForLimits(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail = ''] = address.split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = address.includes('::') ? [...left, ...zeros, ...right] : left
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

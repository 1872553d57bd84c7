import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * The client's address: the connection's, or, behind as many proxies as the operator says to trust, what the outermost
 * of them wrote into X-Forwarded-For. Anything further left was written by the client and is not believed.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const direct = request.socket.remoteAddress ?? ''
  if (trustedProxies === 0) return plain(direct)
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
  const hops = [...forwarded.map((hop) => hop.trim()).filter(Boolean), direct]
  const seen = plain(hops[Math.max(0, hops.length - 1 - trustedProxies)] ?? direct)
  // Where fewer proxies stand in front than were said to, the client itself wrote this.
  return isIP(seen) ? seen : plain(direct)
}

function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
}

/** Whom a limit by address counts: an IPv4 address, or the /64 that one IPv6 customer usually holds. */
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

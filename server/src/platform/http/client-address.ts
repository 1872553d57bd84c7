import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP } from 'node:net'

/** The trusted proxies in front of a door: their number, if nothing reaches it without them, or else their addresses. */
export type TrustedProxies = number | BlockList

/**
 * The client's address: that of the connection or, behind trusted proxies, the one that the outermost of them wrote into
 * X-Forwarded-For. Entries further left come from the client and are ignored.
 */
export function clientAddress(request: IncomingMessage, trusted: TrustedProxies): string {
  const direct = withoutIpv4Prefix(request.socket.remoteAddress ?? '')
  if (trusted === 0) return direct
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
  const entries = forwarded.map((hop) => hop.trim()).filter(Boolean)
  const hops = [...entries.map((hop) => withoutIpv4Prefix(withoutPort(hop))), direct]
  const outermost =
    typeof trusted === 'number'
      ? Math.max(0, hops.length - 1 - trusted)
      : Math.max(
          0,
          hops.findLastIndex((hop) => !isAmong(trusted, hop)),
        )
  const seen = hops[outermost] ?? direct
  // With fewer proxies than configured, this entry comes from the client.
  return isIP(seen) ? seen : direct
}

/** Whether the address of a request's connection is that of a trusted proxy. */
export function isFromProxy({ socket }: Pick<IncomingMessage, 'socket'>, trusted: BlockList): boolean {
  return isAmong(trusted, withoutIpv4Prefix(socket.remoteAddress ?? ''))
}

function isAmong(addresses: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && addresses.check(address, family === 4 ? 'ipv4' : 'ipv6')
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

import { BlockList, isIP } from 'node:net'

/**
 * IPv4 networks outside of the public internet.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const RESERVED_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // behind a carrier's NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure host
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // measurements
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]

/**
 * Only 2000::/3 is allocated for the public internet. This excludes loopback, ::ffff:0:0/96 and ::/96 with an embedded IPv4
 * address, NAT64 (64:ff9b::/96, 64:ff9b:1::/48), unique local, link-local, site-local, multicast.
 *
 * @see https://www.iana.org/assignments/ipv6-address-space
 */
const PUBLIC_IPV6 = ['2000::/3']

/** Networks within it that are not public, or that embed an IPv4 address. */
const RESERVED_IPV6 = [
  '2001::/23', // protocol assignments, Teredo and ORCHID among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]

// One list per family: a shared list would treat IPv4 addresses as mapped into IPv6, and vice versa.
const reservedIpv4 = networks(RESERVED_IPV4, 'ipv4')
const publicIpv6 = networks(PUBLIC_IPV6, 'ipv6')
const reservedIpv6 = networks(RESERVED_IPV6, 'ipv6')

function networks(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}

/** Whether an address, as the resolver or WHATWG URL formats it, is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !reservedIpv4.check(address, 'ipv4')
  // An address with a zone is link-local.
  if (family !== 6 || address.includes('%')) return false
  return publicIpv6.check(address, 'ipv6') && !reservedIpv6.check(address, 'ipv6')
}

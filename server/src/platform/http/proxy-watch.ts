import type { IncomingMessage } from 'node:http'
import type { Logger } from '../observe/logger.ts'
import type { Metrics } from '../observe/metrics.ts'

/** How the proxies that a request names compare with TRUSTED_PROXIES. */
export const CHAINS = ['as_configured', 'too_few', 'too_many'] as const
export type Chain = (typeof CHAINS)[number]

/** Each proxy appends an entry to X-Forwarded-For. Clients may have sent some, so that more is no proof; fewer is one. */
export function chainOf({ headers }: Pick<IncomingMessage, 'headers'>, trustedProxies: number): Chain {
  const header = headers['x-forwarded-for']
  if (header === undefined) return trustedProxies === 0 ? 'as_configured' : 'too_few'
  const entries = String(header).split(',').length
  if (entries === trustedProxies) return 'as_configured'
  return entries < trustedProxies ? 'too_few' : 'too_many'
}

const WARNINGS: Readonly<Record<Exclude<Chain, 'as_configured'>, string>> = {
  too_few:
    'A request came through fewer proxies than TRUSTED_PROXIES: if requests of shoppers do, clients can choose the address that limits apply to.',
  too_many:
    'A request names more proxies than TRUSTED_PROXIES: if a proxy is in front that is not counted, all clients share its address.',
}

/** Counts how requests came, and warns once of each way that is not configured. */
export function proxyWatch(log: Logger, metrics: Metrics, trustedProxies: number): (request: IncomingMessage) => void {
  const warned = new Set<Chain>()
  return (request) => {
    const chain = chainOf(request, trustedProxies)
    metrics.recordChain(chain)
    if (chain === 'as_configured' || warned.has(chain)) return
    warned.add(chain)
    log.warn({ chain, trustedProxies }, `${WARNINGS[chain]} See docs/guides/production.md`)
  }
}

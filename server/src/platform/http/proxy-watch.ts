import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import type { Logger } from '../observe/logger.ts'
import type { Metrics } from '../observe/metrics.ts'
import { clientAddress, isFromProxy } from './client-address.ts'

/** The number of proxies that a request names, compared with TRUSTED_PROXIES. */
export const CHAINS = ['as_configured', 'too_few', 'too_many'] as const
type Chain = (typeof CHAINS)[number]

/** Each proxy appends an entry to X-Forwarded-For. Clients may add some too, so that more entries prove nothing; fewer prove a mismatch. */
export function chainOf({ headers }: Pick<IncomingMessage, 'headers'>, trustedProxies: number): Chain {
  const header = headers['x-forwarded-for']
  if (header === undefined) return trustedProxies === 0 ? 'as_configured' : 'too_few'
  const entries = String(header).split(',').length
  if (entries === trustedProxies) return 'as_configured'
  return entries < trustedProxies ? 'too_few' : 'too_many'
}

const WARNINGS: Readonly<Record<Exclude<Chain, 'as_configured'>, string>> = {
  too_few:
    'A request came through fewer proxies than TRUSTED_PROXIES. If shoppers are affected, clients can forge the address that is rate limited.',
  too_many:
    'A request names more proxies than TRUSTED_PROXIES. If there is a proxy that is not counted, all clients share its address.',
}

/** Counts requests by the proxies that they came through, and warns once of each kind of mismatch. */
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

/** Requests of the operator door whose client is unknown. */
export const UNKNOWN_CLIENTS = 'vitrine_operator_unknown_clients_total'

/** Whether a request came through a proxy that is not trusted, or under the name of the proxy without the client's address. */
export function isClientUnknown(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { operatorProxies, operatorUrl }: { readonly operatorProxies: BlockList; readonly operatorUrl: string },
): boolean {
  if (headers['x-forwarded-for'] !== undefined) return !isFromProxy({ socket }, operatorProxies)
  return operatorUrl === `https://${headers.host}`
}

/** Counts the requests of the operator door whose client is unknown, and warns of the first. */
export function operatorProxyWatch(
  log: Logger,
  metrics: Metrics,
  settings: { readonly operatorProxies: BlockList; readonly operatorUrl: string },
): (request: IncomingMessage) => void {
  let count = 0
  metrics.counter(
    {
      name: UNKNOWN_CLIENTS,
      help: 'Requests of the operator door from proxies that are not in OPERATOR_PROXIES, or that name no client.',
    },
    () => count,
  )
  return (request) => {
    if (!isClientUnknown(request, settings)) return
    count += 1
    if (count > 1) return
    const peer = clientAddress(request, 0)
    log.warn(
      { peer },
      'A request reached the operator door through a proxy that is not in OPERATOR_PROXIES or does not send X-Forwarded-For: operators share its address. See docs/guides/production.md',
    )
  }
}

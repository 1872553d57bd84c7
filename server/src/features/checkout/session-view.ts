import type { HostedCheckoutSession } from '@vitrine/contract'
import type { Secret } from '../../platform/secrets/rotating-secret.ts'
import { addressBlockers, type Blocker, destinationOf, presentBlockers, type QuoteContent } from '../carts/index.ts'
import { checkoutUrl } from './page-url.ts'
import type { Session } from './session.ts'
import type { LoadedSession } from './session-store.ts'

/** The base URL and the secret that page URLs are built from. */
export interface PageUrlDeps {
  /** Public URL of the hosted pages, without a trailing slash. */
  readonly pagesUrl: string
  readonly pageSecret: Secret
}

/** Present a session. @see docs/reference/rules.md#resources */
export function presentSession(
  { session, quote }: LoadedSession,
  { pagesUrl, pageSecret }: PageUrlDeps,
): HostedCheckoutSession & { readonly url: string } {
  const { shippingAddress, clientReferenceId } = session
  const url = checkoutUrl(pagesUrl, pageSecret, session.id)
  return {
    id: session.id,
    status: session.status,
    version: session.version,
    cartId: session.cartId,
    quoteId: session.quoteId,
    snapshot: {
      lines: quote.lines,
      totals: quote.totals,
      ...(shippingAddress && { address: shippingAddress }),
    },
    returnUrl: session.returnUrl,
    cancelUrl: session.cancelUrl,
    url,
    nextAction: nextActionOf(session, url),
    payment: { status: session.paymentStatus },
    ...(session.status === 'completed' && { orderId: session.orderId }),
    blockers: presentBlockers(blockersOf(session, quote), quote.locale),
    ...(clientReferenceId !== null && { clientReferenceId }),
    metadata: { ...session.metadata },
    ...('cancelReason' in session && session.cancelReason !== null && { cancelReason: session.cancelReason }),
    ...(session.status === 'canceled' && { canceledAt: session.endedAt.toISOString() }),
    expiresAt: session.expiresAt.toISOString(),
    createdAt: session.createdAt.toISOString(),
    updatedAt: session.updatedAt.toISOString(),
  }
}

/** The next action of the installation: redirect the shopper if they have something to do, or wait. */
function nextActionOf({ status }: Session, url: string): HostedCheckoutSession['nextAction'] {
  if (status === 'open' || status === 'requires_action') return { type: 'redirect', url }
  return { type: status === 'processing' || status === 'cancel_pending' ? 'wait' : 'none' }
}

/** The blockers of an open session's payment, in the order a shopper would fix them. */
export function blockersOf(session: Session, { lines, totals }: Pick<QuoteContent, 'lines' | 'totals'>): Blocker[] {
  if (session.status !== 'open') return []
  const blockers: Blocker[] = []
  if (!session.contact?.email) blockers.push({ code: 'email_missing', path: '/contact/email' })
  blockers.push(...addressBlockers(destinationOf(session, lines), totals.tax.status))
  const shippers = new Set(lines.flatMap((line) => (line.requiresShipping === false ? [] : [line.storeId])))
  for (const [index, { storeId, shipping }] of totals.byStore.entries()) {
    if (shipping === undefined && shippers.has(storeId))
      blockers.push({ code: 'shipping_unavailable', path: `/totals/byStore/${index}/shipping` })
  }
  if (totals.tax.status === 'not_calculated') blockers.push({ code: 'tax_not_calculated', path: '/totals/tax' })
  return blockers.slice(0, BLOCKERS_MAX)
}

/** The contract's limit. */
const BLOCKERS_MAX = 50

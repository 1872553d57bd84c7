import type { VitrineClient } from '@vitrine/sdk'

// region begin
/** Begins the checkout of a cart. Send the shopper to the URL. Both addresses are registered for the installation. */
export async function beginCheckout(
  shop: VitrineClient,
  cartId: string,
  urls: { returnUrl: string; cancelUrl: string },
) {
  const session = await shop.checkoutPublicCart({ params: { cartId }, body: urls })
  return { sessionId: session.id, url: session.url }
}
// endregion

// region return
/** The page that the shopper comes back to. Read the session: anyone can open the address of this page. */
export async function afterCheckout(shop: VitrineClient, sessionId: string) {
  const session = await shop.getHostedCheckoutSession({ params: { sessionId } })
  switch (session.status) {
    case 'completed':
      return { show: 'order', orderId: session.orderId } as const
    case 'canceled':
    case 'expired':
      // The cart can be changed and checked out again.
      return { show: 'cart', cartId: session.cartId } as const
    case 'open':
      return { show: 'checkout', url: session.url } as const
    default:
      // The payment is under way, or its outcome is being looked up: never ask to pay again.
      return { show: 'wait' } as const
  }
}
// endregion

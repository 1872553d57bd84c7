import type { Operation, OperationId } from './index.ts'

/** The operations that take the id of an answer, by the parameter that takes it. */
const LINKS: { readonly [Id in OperationId]?: Readonly<Record<string, readonly OperationId[]>> } = {
  createStorefrontChallenge: { store: ['verifyStorefrontChallenge'] },
  createPublicCart: {
    cartId: [
      'getPublicCart',
      'addPublicCartItem',
      'setPublicCartAddress',
      'applyPublicCartPromotion',
      'quotePublicCart',
      'checkoutPublicCart',
    ],
  },
  createHostedCheckoutSession: { sessionId: ['getHostedCheckoutSession', 'cancelHostedCheckoutSession'] },
  checkoutPublicCart: { sessionId: ['getHostedCheckoutSession', 'cancelHostedCheckoutSession'] },
  getStorefrontOrder: {
    orderId: [
      'getStorefrontOrderCancellationEligibility',
      'cancelStorefrontOrder',
      'getStorefrontOrderAfterSalesEligibility',
      'requestStorefrontOrderAfterSales',
    ],
  },
  createInstallationWebhook: { id: ['updateInstallationWebhook', 'getInstallationWebhookSignatureFixture'] },
}

type Link = { readonly operationId: string; readonly parameters: Readonly<Record<string, string>> }

/** The links of an answer, as the document writes them. */
export function linksOf(operationId: string, row: Operation): { readonly links?: Readonly<Record<string, Link>> } {
  const byParameter = Object.entries(LINKS[operationId as OperationId] ?? {})
  if (byParameter.length === 0) return {}
  const links = byParameter.flatMap(([name, targets]) => {
    // A parameter that the request has too is the same one; any other is the id of the answer.
    const value = name in row.params.properties ? `$request.path.${name}` : '$response.body#/data/id'
    return targets.map((target) => [target, { operationId: target, parameters: { [name]: value } }] as const)
  })
  return { links: Object.fromEntries(links) }
}

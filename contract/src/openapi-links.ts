import type { Operation, OperationId } from './index.ts'

/** The operations that take an id from an answer, keyed by the parameter for it. */
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

/** The links of an answer in the OpenAPI document. */
export function linksOf(operationId: string, row: Operation): { readonly links?: Readonly<Record<string, Link>> } {
  const byParameter = Object.entries(LINKS[operationId as OperationId] ?? {})
  if (byParameter.length === 0) return {}
  const links = byParameter.flatMap(([name, targets]) => {
    // A parameter of the request itself keeps its value; any other gets the id in the answer.
    const value = name in row.params.properties ? `$request.path.${name}` : '$response.body#/data/id'
    return targets.map((target) => [target, { operationId: target, parameters: { [name]: value } }] as const)
  })
  return { links: Object.fromEntries(links) }
}

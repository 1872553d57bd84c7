import type { VitrineClient } from '@vitrine/sdk'

// region ask
/** The units of an order that can be returned. */
export async function returnable(shop: VitrineClient, orderId: string) {
  const answer = await shop.getStorefrontOrderAfterSalesEligibility({ params: { orderId } })
  const kind = answer.kinds?.find((each) => each.kind === 'return')
  return {
    decision: kind?.decision ?? 'ineligible',
    unitsByLine: kind?.maxByLine ?? {},
    windowEndsAt: kind?.windowEndsAt,
    eligibilityToken: answer.eligibilityToken,
  }
}
// endregion

// region request
/** Requests the return of units. For ten minutes, the token keeps the terms that the shopper was shown. */
export async function requestReturn(
  shop: VitrineClient,
  orderId: string,
  lineId: string,
  eligibilityToken: string | undefined,
) {
  const request = await shop.requestStorefrontOrderAfterSales({
    params: { orderId },
    body: {
      kind: 'return',
      reasonCode: 'size_or_fit',
      lines: [{ lineId, quantity: 1, condition: 'unopened' }],
      ...(eligibilityToken && { eligibilityToken }),
    },
  })
  return { id: request.id, status: request.status, deadlines: request.deadlines }
}
// endregion

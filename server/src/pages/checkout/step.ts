import type { PageSession } from '../../features/checkout/index.ts'

export const STEPS = ['address', 'shipping', 'payment'] as const
export type Step = (typeof STEPS)[number]
/** Steps a shopper can go back to. */
export type Editing = 'address' | 'billing' | 'shipping'

/** Whether any store has several shipping options. */
export function hasShippingChoice({ shippingOptions }: Pick<PageSession, 'shippingOptions'>): boolean {
  return optionsByStore(shippingOptions).some(([, options]) => options.length > 1)
}

export function optionsByStore(options: PageSession['shippingOptions']) {
  return [...Map.groupBy(options, ({ storeId }) => storeId)]
}

/** The current step: address, then shipping if there is an open choice, then payment. */
export function stepOf(page: PageSession, editing: Editing | undefined): Step {
  const missing = page.session.blockers.map(({ code }) => code)
  if (['email_missing', 'address_missing', 'address_incomplete'].some((code) => missing.includes(code)))
    return 'address'
  if (editing === 'address' || editing === 'billing') return 'address'
  if (!hasShippingChoice(page)) return 'payment'
  const isChosen = page.selectedShipping.every(({ chosen }) => chosen)
  return editing === 'shipping' || !isChosen ? 'shipping' : 'payment'
}

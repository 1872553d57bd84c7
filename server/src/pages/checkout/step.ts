import type { PageSession } from '../../features/checkout/index.ts'

export const STEPS = ['address', 'shipping', 'payment'] as const
export type Step = (typeof STEPS)[number]
/** What a shopper may look at again. */
export type Editing = 'address' | 'billing' | 'shipping'

/** Whether there is anything to choose: a store with several ways to ship. */
export function hasShippingChoice({ shippingOptions }: Pick<PageSession, 'shippingOptions'>): boolean {
  return optionsByStore(shippingOptions).some(([, options]) => options.length > 1)
}

export function optionsByStore(options: PageSession['shippingOptions']) {
  return [...Map.groupBy(options, ({ storeId }) => storeId)]
}

/** The step that is next: where and who, how it is sent where there is a choice and nobody has made it, and then the payment. */
export function stepOf(page: PageSession, editing: Editing | undefined): Step {
  const lacks = page.session.blockers.map(({ code }) => code)
  if (lacks.includes('email_missing') || lacks.includes('address_missing')) return 'address'
  if (editing === 'address' || editing === 'billing') return 'address'
  if (!hasShippingChoice(page)) return 'payment'
  const isChosen = page.selectedShipping.every(({ chosen }) => chosen)
  return editing === 'shipping' || !isChosen ? 'shipping' : 'payment'
}

import { textsIn } from '../../../kernel/languages/texts.ts'
import { sum } from '../../../kernel/money.ts'
import type { Draft } from '../draft.ts'
import { untaxed } from '../tax.ts'
import type { PricingInput, TaxLine } from '../types.ts'
import type { TaxReply, TaxRequest, TaxRequestLine } from './provider.ts'

/** A taxed part of a store's cart: a line by its id, or its shipping. */
type Part = Pick<TaxRequestLine, 'id' | 'taxCategory' | 'amount'>

/** The line id of a store's shipping. */
export const SHIPPING = 'shipping'

/**
 * The source of a store's taxes: its tables; its tables until the destination is known; its tables because the provider failed; or the
 * provider.
 */
type ProvidedTaxation =
  | { readonly kind: 'tables' | 'estimate' | 'fallback' }
  | { readonly kind: 'provider'; readonly linesOf: (part: Part) => readonly TaxLine[] }

/** Find the source of a store's taxes. Throws `AskFirst` if the provider has to be called first. */
export function providedTaxation(draft: Draft, storeId: string): ProvidedTaxation {
  const { input } = draft
  if (!input.providedTax?.isOf(storeId)) return { kind: 'tables' }
  if (!input.destination) return { kind: 'estimate' }
  const request = requestOf(draft, storeId)
  const reply = input.providedTax.replyTo(request, input.now)
  if (reply === null) return { kind: 'fallback' }
  return { kind: 'provider', linesOf: (part) => linesOf(input, reply, { ...part, included: request.pricesIncludeTax }) }
}

/** Mark the lines of a table that is used because the provider failed. */
export function asFallback(lines: readonly TaxLine[] | null): readonly TaxLine[] | null {
  return lines === null ? null : lines.map((line) => ({ ...line, source: 'fallback' }))
}

function requestOf({ input, lines, shipments }: Draft, storeId: string): Omit<TaxRequest, 'environment'> {
  const items = lines
    .filter((line) => line.storeId === storeId)
    .map(({ lineId, skuId, quantity, taxCategory, remaining, requiresShipping }): TaxRequestLine => {
      const facts = { id: lineId, kind: 'item', skuId, quantity, taxCategory } as const
      return { ...facts, amount: remaining, isShipped: requiresShipping }
    })
  const shipped = shipments
    .filter((shipment) => shipment.storeId === storeId)
    .map(({ option, remaining }): TaxRequestLine => {
      const facts = { id: SHIPPING, kind: 'shipping', skuId: null, quantity: 1 } as const
      return { ...facts, taxCategory: option.taxCategory, amount: remaining, isShipped: true }
    })
  const { country, region = null, postalCode = null } = input.destination ?? input
  const empty = { line1: null, line2: null, city: null }
  return {
    storeId,
    currency: input.currency,
    pricesIncludeTax: input.stores.some((store) => store.storeId === storeId && store.pricesIncludeTax),
    shipTo: { ...empty, ...input.buyer?.shipTo, country, region, postalCode },
    buyer: { vatId: input.buyer?.vatId ?? null, billTo: input.buyer?.billTo ?? null },
    lines: [...items, ...shipped],
  }
}

function linesOf(
  { locale, destination, country: cartCountry }: PricingInput,
  { lines }: TaxReply,
  { id, taxCategory: category, amount, included }: Part & { readonly included: boolean },
): readonly TaxLine[] {
  const { taxes = [], exemption } = lines.find((line) => line.id === id) ?? {}
  if (exemption) {
    const country = destination?.country ?? cartCountry
    const line = untaxed(exemption, { category, taxable: amount, included, country }, textsIn(locale).tax)
    return [{ ...line, source: 'provider' }]
  }
  const taxable = included ? amount - sum(taxes.map((tax) => tax.amount)) : amount
  return taxes.map(({ jurisdiction, ...tax }) => {
    return { ...tax, category, taxable, included, ...(jurisdiction && { jurisdiction }), source: 'provider' as const }
  })
}

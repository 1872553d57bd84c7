import type { ProductSummary, StoreProfile } from '@vitrine/contract'
import { presentPicture, type TextPicker, textIn } from '../stored-json.ts'
import type { Market, StoreRow } from './market-context.ts'

export function storeReference(store: StoreRow, text: TextPicker): ProductSummary['store'] {
  return { id: store.id, slug: store.slug, name: text(store.names) ?? store.slug }
}

/** The policies of a store in the served locale. */
export function presentPolicies(store: StoreRow, text: TextPicker): StoreProfile['policies'] {
  return store.policies.map((policy) => {
    const body = text(policy.texts)
    return {
      type: policy.type,
      title: text(policy.titles) ?? policy.type,
      ...(body ? { text: body } : {}),
      ...(policy.url ? { url: policy.url } : {}),
    }
  })
}

/** The public profile of a store, also of a gated one. */
export function presentStore(store: StoreRow, market: Market): StoreProfile {
  const locale = market.localeByStore.get(store.id) ?? market.locale
  const text: TextPicker = (texts) => textIn(texts, locale, store.locales[0]!)
  const name = text(store.names) ?? store.slug
  const description = text(store.descriptions)
  const logo = presentPicture(store.logo, text, name)
  return {
    id: store.id,
    slug: store.slug,
    name,
    locale,
    ...(logo ? { logo } : {}),
    ...(description ? { description } : {}),
    countries: [...store.countries],
    currencies: [...store.currencies],
    locales: [...store.locales],
    defaults: { country: store.countries[0]!, currency: store.currencies[0]!, locale: store.locales[0]! },
    taxIncluded: store.prices_include_tax,
    contact: { ...store.contact },
    policies: presentPolicies(store, text),
    access: { mode: store.access_mode },
    version: store.version,
    createdAt: store.created_at.toISOString(),
    updatedAt: store.updated_at.toISOString(),
  }
}

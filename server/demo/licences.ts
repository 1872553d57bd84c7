import { createHash } from 'node:crypto'
import type { DemoProduct, DemoStore } from './facts.ts'

/** How many shoppers of a demo find one of each before the pool is empty, which is a thing to be seen as well. */
const KEYS_EACH = 50

/** Letters and digits that nobody takes for others. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** The slugs of the products that are mailed, because there is nothing to ship. */
export function mailedProducts({ products, families }: DemoStore): readonly string[] {
  return products.filter(({ family }) => families[family]?.mailed).map(({ slug }) => slug)
}

/** What is mailed for the units of a SKU: invented, the same on each machine, and good for nothing but to be looked at. */
export function licenceKeys(store: DemoStore, product: DemoProduct, skuCode: string): readonly string[] {
  const { mailed } = store.families[product.family] ?? {}
  const host = `downloads.${store.contactEmail.split('@')[1]}`
  return Array.from({ length: mailed ? KEYS_EACH : 0 }, (_, index) => {
    const letters = lettersOf(`${skuCode} ${index + 1}`)
    if (mailed === 'link') return `https://${host}/${product.slug}/${letters.toLowerCase()}`
    return `${skuCode}-${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`
  })
}

function lettersOf(seed: string): string {
  const bytes = createHash('sha256').update(`a demo key: ${seed}`).digest().subarray(0, 12)
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

import { isCurrency } from '../../../kernel/currencies.ts'
import { BadLine, checkedLine } from '../../../platform/lines/bad-line.ts'
import { storable } from '../../../platform/lines/line-source.ts'
import { CategoryLine, ProductLine, StoreLine } from '../writing/line-schema.ts'
import { type Draft, productDraft } from '../writing/product-draft.ts'
import { FlatLine, flatProductDraft, isFlat } from './flat-line.ts'

/** Turns what a line says into what it asks for. Throws `BadLine` with a reason that its keeper can act on. */
export type LineReader = (value: unknown, locale: string) => Draft

const FORM = 'a catalogue line'

/** Schemas are compiled when an import begins: they are needed at no other time. */
export function lineReader(): LineReader {
  const store = checkedLine<StoreLine>(StoreLine, FORM)
  const category = checkedLine<CategoryLine>(CategoryLine, FORM)
  const product = checkedLine<ProductLine>(ProductLine, FORM)
  const flat = checkedLine<FlatLine>(FlatLine, FORM)
  return (raw, locale) => {
    const value = storable(raw)
    if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new BadLine('It is not an object.')
    if (isFlat(value)) return { kind: 'product', product: flatProductDraft(flat(value), locale), store: null }
    const type = 'type' in value ? value.type : 'product'
    if (type === 'store') return { kind: 'store', store: withKnownCurrencies(store(value)) }
    if (type === 'category') {
      const line = category(value)
      return { kind: 'category', category: line, store: line.store ?? null }
    }
    if (type !== 'product') throw new BadLine(`/type: ${JSON.stringify(type)} is none of store, category, product.`)
    const line = product(value)
    return { kind: 'product', product: productDraft(line), store: line.store ?? null }
  }
}

function withKnownCurrencies(line: StoreLine): StoreLine {
  const unknown = line.currencies.find((currency) => !isCurrency(currency))
  if (unknown !== undefined)
    throw new BadLine(`/currencies: ${unknown} is no currency of ISO 4217 that one can pay in.`)
  return line
}

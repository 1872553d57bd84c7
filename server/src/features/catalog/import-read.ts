import { isCurrency } from '../../kernel/currencies.ts'
import { InvalidLine, lineValidator } from '../../platform/line-files/invalid-line.ts'
import { storable } from '../../platform/line-files/line-file.ts'
import { CategoryLine, ProductLine, StoreLine } from './catalogue-line.ts'
import { type Draft, productDraft } from './import-draft.ts'
import { FlatLine, flatProductDraft, isFlat } from './import-flat.ts'

/** Turns what a line says into what it asks for. Throws `InvalidLine` with a reason that its keeper can act on. */
export type LineReader = (value: unknown, locale: string) => Draft

const FORM = 'a catalogue line'

/** Schemas are compiled when an import begins: they are needed at no other time. */
export function lineReader(): LineReader {
  const store = lineValidator<StoreLine>(StoreLine, FORM)
  const category = lineValidator<CategoryLine>(CategoryLine, FORM)
  const product = lineValidator<ProductLine>(ProductLine, FORM)
  const flat = lineValidator<FlatLine>(FlatLine, FORM)
  return (raw, locale) => {
    const value = storable(raw)
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      throw new InvalidLine('It is not an object.')
    if (isFlat(value)) return { kind: 'product', product: flatProductDraft(flat(value), locale), store: null }
    const type = 'type' in value ? value.type : 'product'
    if (type === 'store') return { kind: 'store', store: withKnownCurrencies(store(value)) }
    if (type === 'category') {
      const line = category(value)
      return { kind: 'category', category: line, store: line.store ?? null }
    }
    if (type !== 'product') throw new InvalidLine(`/type: ${JSON.stringify(type)} is none of store, category, product.`)
    const line = product(value)
    return { kind: 'product', product: productDraft(line), store: line.store ?? null }
  }
}

function withKnownCurrencies(line: StoreLine): StoreLine {
  const unknown = line.currencies.find((currency) => !isCurrency(currency))
  if (unknown !== undefined)
    throw new InvalidLine(`/currencies: ${unknown} is no currency of ISO 4217 that one can pay in.`)
  return line
}

import { isCurrency } from '../../../kernel/currencies.ts'
import { InvalidLine, lineValidator } from '../../../platform/line-files/invalid-line.ts'
import { storable } from '../../../platform/line-files/line-file.ts'
import { CategoryLine, ProductLine, StoreLine } from '../writing/line-schema.ts'
import { type Draft, productDraft } from '../writing/product-draft.ts'
import { FlatLine, flatProductDraft, isFlat } from './flat-line.ts'

/** Turns a line into a draft. Throws `InvalidLine` with a reason for the owner of the file. */
export type LineReader = (value: unknown, locale: string) => Draft

const FORM = 'a catalog line'

/** Compiles the schemas, which only imports and operator writes need. */
export function lineReader(): LineReader {
  const store = lineValidator<StoreLine>(StoreLine, FORM)
  const category = lineValidator<CategoryLine>(CategoryLine, FORM)
  const product = lineValidator<ProductLine>(ProductLine, FORM)
  const flat = lineValidator<FlatLine>(FlatLine, FORM)
  return (raw, locale) => {
    const value = storable(raw)
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      throw new InvalidLine('The line is not an object.')
    if (isFlat(value)) return { kind: 'product', product: flatProductDraft(flat(value), locale), store: null }
    const type = 'type' in value ? value.type : 'product'
    if (type === 'store') return { kind: 'store', store: withKnownCurrencies(store(value)) }
    if (type === 'category') {
      const line = category(value)
      return { kind: 'category', category: line, store: line.store ?? null }
    }
    if (type !== 'product')
      throw new InvalidLine(`/type: ${JSON.stringify(type)} must be one of store, category, product.`)
    const line = product(value)
    return { kind: 'product', product: productDraft(line), store: line.store ?? null }
  }
}

function withKnownCurrencies(line: StoreLine): StoreLine {
  const unknown = line.currencies.find((currency) => !isCurrency(currency))
  if (unknown !== undefined) throw new InvalidLine(`/currencies: ${unknown} is not a supported ISO 4217 currency.`)
  return line
}

import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { isCurrency } from '../../kernel/currencies.ts'
import { CategoryLine, ProductLine, StoreLine } from './catalogue-line.ts'
import { BadLine, type Draft, productDraft } from './import-draft.ts'
import { FlatLine, flatProductDraft, isFlat } from './import-flat.ts'
import { storable } from './import-source.ts'

/** Turns what a line says into what it asks for. Throws `BadLine` with a reason that its keeper can act on. */
export type LineReader = (value: unknown, locale: string) => Draft

/** Schemas are compiled when an import begins: they are needed at no other time. */
export function lineReader(): LineReader {
  const store = checked<StoreLine>(StoreLine)
  const category = checked<CategoryLine>(CategoryLine)
  const product = checked<ProductLine>(ProductLine)
  const flat = checked<FlatLine>(FlatLine)
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

function checked<Value>(schema: TSchema): (value: object) => Value {
  const validator = Compile(schema)
  return (value) => {
    if (!validator.Check(value)) throw new BadLine(firstFailure(validator, value))
    return value as Value
  }
}

/** `/skus/0/prices: must be array`: the deepest failure, because those above it only repeat that it failed. */
function firstFailure(validator: Validator, value: object): string {
  const failures = validator.Errors(value).filter(({ keyword }) => keyword !== 'boolean' && keyword !== 'anyOf')
  const deepest = failures.toSorted((a, b) => depth(b.instancePath) - depth(a.instancePath))[0]
  if (deepest === undefined) return 'It does not have the form of a catalogue line.'
  const names = Object.values(deepest.params).flat().join(', ')
  const about = ['required', 'additionalProperties'].includes(deepest.keyword) ? ` (${names})` : ''
  return `${deepest.instancePath || '/'}: ${deepest.message}${about}.`.slice(0, 500)
}

function depth(pointer: string): number {
  return pointer.split('/').length
}

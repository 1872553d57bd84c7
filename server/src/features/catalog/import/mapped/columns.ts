import { type Static, Type } from 'typebox'
import { isCurrency } from '../../../../kernel/currencies.ts'
import { InvalidLine, lineValidator } from '../../../../platform/line-files/invalid-line.ts'

/** The maximum number of columns of a table with a mapping. */
export const COLUMNS_MAX = 500
/** The maximum number of options of a product. */
export const OPTIONS_MAX = 5

const options = Array.from({ length: OPTIONS_MAX }, (_, index) => index + 1)

/** The targets of a column. */
const TARGETS: ReadonlySet<string> = new Set([
  'skip',
  'id',
  'slug',
  'name',
  'description',
  'brand',
  'category',
  'type',
  'tags',
  'status',
  'published',
  'seoTitle',
  'seoDescription',
  ...options.flatMap((number) => [`option${number}Name`, `option${number}Value`]),
  'code',
  'barcode',
  'price',
  'compareAt',
  'stock',
  'stockTracked',
  'whenOutOfStock',
  'weightGrams',
  'weightKilograms',
  'requiresShipping',
  'taxCategory',
  'image',
  'imagePosition',
  'imageAlt',
  'skuImage',
])
/** Targets with a language, currency, option or attribute. */
const QUALIFIED =
  /^(?:(?:name|description|seoTitle|seoDescription)\.[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*|(?:price|compareAt)\.[A-Z]{3}|option\.[a-z0-9]+(?:[_-][a-z0-9]+)*|attribute\..{1,120})$/

/** How the columns of a table become products. A column without a target is skipped. */
export const Mapping = Type.Object(
  {
    columns: Type.Array(Type.String({ minLength: 1, maxLength: 140 }), { minItems: 1, maxItems: COLUMNS_MAX }),
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    locale: Type.String({ pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$' }),
    decimal: Type.Enum(['point', 'comma']),
  },
  { additionalProperties: false },
)
export type Mapping = Static<typeof Mapping>

let validate: ((value: object) => Mapping) | null = null

/** Reads a mapping from JSON. Throws `InvalidLine`. */
export function readMapping(json: string): Mapping {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new InvalidLine('The mapping is not JSON.')
  }
  validate ??= lineValidator<Mapping>(Mapping, 'a mapping')
  const mapping = validate(Object(value))
  if (!isCurrency(mapping.currency)) throw new InvalidLine(`/currency: ${mapping.currency} is not a currency.`)
  const unknown = mapping.columns.find((target) => !TARGETS.has(target) && !QUALIFIED.test(target))
  if (unknown !== undefined) throw new InvalidLine(`/columns: a column cannot be "${unknown}".`)
  const used = mapping.columns.filter((target) => target !== 'skip')
  const twice = used.find((target, index) => used.indexOf(target) !== index)
  if (twice !== undefined) throw new InvalidLine(`/columns: two columns are "${twice}".`)
  return mapping
}

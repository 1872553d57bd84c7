import { translate } from '../../language.ts'

/** The possible targets of a column with their labels, in groups. */
const GROUPS: readonly (readonly [group: string, targets: readonly (readonly [target: string, label: string])[]])[] = [
  [
    translate('Product'),
    [
      ['id', translate('Product ID')],
      ['name', translate('Name')],
      ['description', translate('Description')],
      ['brand', translate('Brand')],
      ['category', translate('Category')],
      ['type', translate('Product type')],
      ['tags', translate('Tags')],
      ['status', translate('Status')],
      ['published', translate('Published (true or false)')],
      ['slug', translate('Web address (slug)')],
      ['seoTitle', translate('SEO title')],
      ['seoDescription', translate('SEO description')],
      ['image', translate('Picture')],
      ['imagePosition', translate('Picture position')],
      ['imageAlt', translate('Picture alternative text')],
    ],
  ],
  [
    translate('Variant'),
    [
      ['code', translate('SKU')],
      ['barcode', translate('Barcode')],
      ['price', translate('Price')],
      ['compareAt', translate('Compare-at price')],
      ['stock', translate('Stock')],
      ['stockTracked', translate('Stock tracked by')],
      ['whenOutOfStock', translate('When out of stock')],
      ['weightGrams', translate('Weight in grams')],
      ['weightKilograms', translate('Weight in kilograms')],
      ['requiresShipping', translate('Requires shipping')],
      ['taxCategory', translate('Tax category')],
      ['skuImage', translate('Variant picture')],
    ],
  ],
  [
    translate('Options'),
    [1, 2, 3, 4, 5].flatMap((number) => [
      [`option${number}Name`, translate('Option {number}: name', { number })] as const,
      [`option${number}Value`, translate('Option {number}: value', { number })] as const,
    ]),
  ],
]

const LABELS: ReadonlyMap<string, string> = new Map(GROUPS.flatMap(([, targets]) => targets))

/** A target in words: `price.EUR` is `Price in EUR`, `name.de` is `Name (de)`. */
function labelOf(target: string): string {
  const dot = target.indexOf('.')
  if (dot === -1) return LABELS.get(target) ?? target
  const [base, qualifier] = [target.slice(0, dot), target.slice(dot + 1)]
  if (base === 'attribute') return translate('Attribute "{qualifier}"', { qualifier })
  if (base === 'option') return translate('Option "{qualifier}"', { qualifier })
  const label = LABELS.get(base) ?? base
  return base === 'price' || base === 'compareAt'
    ? translate('{label} in {qualifier}', { label, qualifier })
    : `${label} (${qualifier})`
}

type Choices = readonly (readonly [group: string, targets: readonly (readonly [target: string, label: string])[]])[]

/** The targets to choose from, including the current one and an attribute that is named after the column. */
export function choicesFor(header: string, target: string): Choices {
  const named = header.trim() === '' ? [] : [`attribute.${header.trim().slice(0, 120)}`]
  const special = [...new Set([...named, ...(target === 'skip' || LABELS.has(target) ? [] : [target])])]
  return [...GROUPS, [translate('Other'), special.map((each) => [each, labelOf(each)] as const)]]
}

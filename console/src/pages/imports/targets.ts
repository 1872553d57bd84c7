/** What a column can be, by groups, with its name. */
const GROUPS: readonly (readonly [group: string, targets: readonly (readonly [target: string, label: string])[]])[] = [
  [
    'Product',
    [
      ['id', 'Product ID'],
      ['name', 'Name'],
      ['description', 'Description'],
      ['brand', 'Brand'],
      ['category', 'Category'],
      ['type', 'Product type'],
      ['tags', 'Tags'],
      ['status', 'Status'],
      ['published', 'Published (true or false)'],
      ['slug', 'Web address (slug)'],
      ['seoTitle', 'SEO title'],
      ['seoDescription', 'SEO description'],
      ['image', 'Picture'],
      ['imagePosition', 'Picture position'],
      ['imageAlt', 'Picture alternative text'],
    ],
  ],
  [
    'Variant',
    [
      ['code', 'SKU'],
      ['barcode', 'Barcode'],
      ['price', 'Price'],
      ['compareAt', 'Compare-at price'],
      ['stock', 'Stock'],
      ['stockTracked', 'Stock tracked by'],
      ['whenOutOfStock', 'When out of stock'],
      ['weightGrams', 'Weight in grams'],
      ['weightKilograms', 'Weight in kilograms'],
      ['requiresShipping', 'Requires shipping'],
      ['taxCategory', 'Tax category'],
      ['skuImage', 'Variant picture'],
    ],
  ],
  [
    'Options',
    [1, 2, 3, 4, 5].flatMap((number) => [
      [`option${number}Name`, `Option ${number}: name`] as const,
      [`option${number}Value`, `Option ${number}: value`] as const,
    ]),
  ],
]

const LABELS: ReadonlyMap<string, string> = new Map(GROUPS.flatMap(([, targets]) => targets))

/** A target in words: `price.EUR` is `Price in EUR`, `name.de` is `Name (de)`. */
function labelOf(target: string): string {
  const dot = target.indexOf('.')
  if (dot === -1) return LABELS.get(target) ?? target
  const [base, qualifier] = [target.slice(0, dot), target.slice(dot + 1)]
  if (base === 'attribute') return `Attribute "${qualifier}"`
  if (base === 'option') return `Option "${qualifier}"`
  const label = LABELS.get(base) ?? base
  return base === 'price' || base === 'compareAt' ? `${label} in ${qualifier}` : `${label} (${qualifier})`
}

type Choices = readonly (readonly [group: string, targets: readonly (readonly [target: string, label: string])[]])[]

/** What a column can be, with what it is now and an attribute of its name. */
export function choicesFor(header: string, target: string): Choices {
  const named = header.trim() === '' ? [] : [`attribute.${header.trim().slice(0, 120)}`]
  const special = [...new Set([...named, ...(target === 'skip' || LABELS.has(target) ? [] : [target])])]
  return [...GROUPS, ['Other', special.map((each) => [each, labelOf(each)] as const)]]
}

/** The header of a product export from Shopify, including columns of a market and of metafields, which the import ignores. */
export const SHOPIFY_HEADER = [
  'Handle',
  'Title',
  'Body (HTML)',
  'Vendor',
  'Product Category',
  'Type',
  'Tags',
  'Published',
  'Option1 Name',
  'Option1 Value',
  'Option1 Linked To',
  'Option2 Name',
  'Option2 Value',
  'Option2 Linked To',
  'Option3 Name',
  'Option3 Value',
  'Option3 Linked To',
  'Variant SKU',
  'Variant Grams',
  'Variant Inventory Tracker',
  'Variant Inventory Qty',
  'Variant Inventory Policy',
  'Variant Fulfillment Service',
  'Variant Price',
  'Variant Compare At Price',
  'Variant Requires Shipping',
  'Variant Taxable',
  'Variant Barcode',
  'Image Src',
  'Image Position',
  'Image Alt Text',
  'Gift Card',
  'SEO Title',
  'SEO Description',
  'Google Shopping / Condition',
  'Fabric (product.metafields.custom.fabric)',
  'Variant Image',
  'Variant Weight Unit',
  'Variant Tax Code',
  'Cost per item',
  'Included / Germany',
  'Price / Germany',
  'Compare At Price / Germany',
  'Status',
] as const

type ShopifyColumn = (typeof SHOPIFY_HEADER)[number]
export type ShopifyRow = Partial<Readonly<Record<ShopifyColumn, string>>>

const COLORS = ['Moss', 'Slate', 'Ochre']
const SIZES = ['S', 'M']
const KINDS = ['Shirt', 'Scarf', 'Apron', 'Towel', 'Cushion']

function shirtRows(handle: string, title: string, number: number): ShopifyRow[] {
  const variants = COLORS.flatMap((color) => SIZES.map((size) => ({ color, size })))
  return variants.map(({ color, size }, index) => ({
    Handle: handle,
    ...(index === 0 && ofProduct(title, number, { 'Option1 Name': 'Color', 'Option2 Name': 'Size' })),
    'Option1 Value': color,
    'Option2 Value': size,
    ...ofVariant(`${handle.toUpperCase()}-${color.slice(0, 2)}-${size}`, number, index),
    ...(index < 2 && {
      'Image Src': `https://pictures.example/${handle}-${index + 1}.jpg?v=17`,
      'Image Position': String(index + 1),
      'Image Alt Text': `${title}, "${color}"`,
    }),
    'Variant Image': `https://pictures.example/${handle}-${color.toLowerCase()}.jpg`,
  }))
}

function plainRows(handle: string, title: string, number: number): ShopifyRow[] {
  return [
    {
      Handle: handle,
      ...ofProduct(title, number, { 'Option1 Name': 'Title' }),
      'Option1 Value': 'Default Title',
      ...ofVariant(handle.toUpperCase(), number, 0),
      'Image Src': `https://pictures.example/${handle}-1.jpg`,
      'Image Position': '1',
    },
    // An additional picture has a row without a variant.
    { Handle: handle, 'Image Src': `https://pictures.example/${handle}-2.jpg`, 'Image Position': '2' },
  ]
}

function ofProduct(title: string, number: number, more: ShopifyRow): ShopifyRow {
  return {
    Title: title,
    'Body (HTML)': `<p>${title} woven from <strong>linen</strong>,\n"made to last".</p><ul><li>Number ${number}</li></ul><script>alert(1)</script>`,
    Vendor: number % 2 ? 'Loom' : 'Weft & Warp',
    'Product Category': 'Apparel & Accessories > Clothing',
    Type: KINDS[number % KINDS.length]!,
    Tags: 'linen, made to order',
    Published: 'true',
    'SEO Title': `${title} of linen`,
    'Gift Card': 'false',
    Status: number % 10 === 9 ? 'draft' : 'active',
    'Price / Germany': '21.00',
    ...more,
  }
}

function ofVariant(sku: string, number: number, index: number): ShopifyRow {
  return {
    'Variant SKU': sku,
    'Variant Grams': String(200 + index),
    'Variant Inventory Tracker': 'shopify',
    'Variant Inventory Qty': String((number + index) % 30),
    'Variant Inventory Policy': 'deny',
    'Variant Fulfillment Service': 'manual',
    'Variant Price': `${10 + (number % 90)}.${index % 2 ? '50' : '00'}`,
    'Variant Compare At Price': number % 4 ? '' : `${30 + (number % 90)}.00`,
    'Variant Requires Shipping': 'true',
    'Variant Taxable': 'true',
    'Variant Barcode': `'40000000${String(number * 10 + index).padStart(5, '0')}`,
    'Variant Weight Unit': 'g',
    'Cost per item': '4.10',
  }
}

/** Products as Shopify exports them: every second one has six variants. */
export function shopifyProducts(count: number): ShopifyRow[] {
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1
    const title = `Linen ${KINDS[number % KINDS.length]} ${number}`
    const handle = `linen-${KINDS[number % KINDS.length]!.toLowerCase()}-${number}`
    return number % 2 ? shirtRows(handle, title, number) : plainRows(handle, title, number)
  }).flat()
}

/** The CSV file. `header` is the order of the columns. */
export function shopifyTable(rows: readonly ShopifyRow[], header: readonly string[] = SHOPIFY_HEADER): string {
  const cell = (text = '') => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = rows.map((row) => header.map((name) => cell(row[name as ShopifyColumn])).join())
  return `${[header.map(cell).join(), ...lines].join('\n')}\n`
}

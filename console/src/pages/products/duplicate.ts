import type { OperatorProduct } from '@vitrine/contract/operator'

/** The body of a copy: a draft with the same content, its own codes, no barcodes and no stock. */
export function duplicateOf(product: OperatorProduct) {
  const { store, externalId, names, subtitles, descriptions, brand, categories, images, options, attributes, seo } =
    product
  const { relatedProductIds } = product
  const end = `copy-${Date.now().toString(36)}`
  return {
    ...{ store, subtitles, descriptions, brand, categories, images, options, attributes, seo, relatedProductIds },
    externalId: `${externalId.slice(0, 100)}-${end}`,
    names: Object.fromEntries(Object.entries(names).map(([locale, name]) => [locale, `${name} (2)`])),
    status: 'draft' as const,
    skus: product.skus.map(({ id: _id, stock, code, barcode: _barcode, ...sku }) => ({
      ...sku,
      code: `${code}-${end.toUpperCase()}`,
      stock: stock.some(({ onHand }) => onHand === null) ? null : 0,
    })),
  }
}

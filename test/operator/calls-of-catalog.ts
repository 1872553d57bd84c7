import { productLine } from '../support/commerce/catalog.ts'
import { type Calls, changed, made, type Stage } from './call.ts'

/** What is sold, for how much, and what is taken off. */
export const callsOfCatalog = {
  createCategory: () => ({ body: { slug: 'hats', names: { en: 'Hats' } }, leaves: made('category', ({ id }) => id) }),
  updateCategory: (stage) => ({ ...theCategory(stage), body: { position: 4 } }),
  moveCategory: (stage) => ({ ...theCategory(stage), body: { parentId: null, slug: 'caps' } }),
  listCategories: () => ({}),
  createProduct: () => ({
    body: {
      store: 'ceramics',
      externalId: 'cap-1',
      names: { en: 'Cap' },
      status: 'draft',
      code: 'CAP',
      prices: [{ currency: 'EUR', amount: 1900 }],
      stock: 5,
    },
    leaves: made('product', ({ id }) => id),
  }),
  updateProduct: (stage) => ({ ...theProduct(stage), body: { status: 'published', brand: 'Loom' } }),
  setProductStock: (stage) => {
    const { id: skuId } = stage.said('createProduct').skus[0]!
    return { ...theProduct(stage), body: { skuId, environment: 'live', onHand: 12, whenOutOfStock: 'deny' } }
  },
  listProducts: () => ({ query: { q: 'cap' } }),
  getProduct: ({ said }) => ({ params: { productId: said('createProduct').id } }),
  createPromotion: () => ({
    body: {
      store: 'ceramics',
      code: 'TENTH',
      title: { en: 'A tenth' },
      effect: { kind: 'percentage', target: 'order', rate: '0.1' },
    },
    leaves: made('promotion', ({ id }) => id),
  }),
  updatePromotion: ({ said }) => {
    const { id } = said('createPromotion')
    return { params: { promotionId: id }, body: { status: 'paused' }, leaves: changed('promotion', id) }
  },
  tryPromotions: () => ({
    body: { store: 'ceramics', lines: [{ sku: 'MUG', quantity: 2 }], currency: 'EUR', country: 'DE', code: 'TENTH' },
  }),
  listPromotions: () => ({}),
  getPromotion: ({ said }) => ({ params: { promotionId: said('createPromotion').id } }),
  importCatalog: () => ({
    query: { format: 'jsonl', store: 'ceramics', name: 'plates.jsonl' },
    upload: JSON.stringify(productLine('plate')),
    leaves: made('import', ({ id }) => id),
  }),
  listImports: () => ({}),
  getImport: ({ said }) => ({ params: { importId: said('importCatalog').id } }),
  exportCatalog: () => ({ params: { storeSlug: 'ceramics' } }),
  importLicenseKeys: ({ shop }) => ({
    params: { skuId: shop.sku('NOVEL') },
    query: { environment: 'test' },
    upload: 'NOVEL-KEY-ONE\n',
    leaves: made('licence_pool', () => shop.sku('NOVEL')),
  }),
  listLicensePools: () => ({}),
} satisfies Partial<Calls>

function theCategory({ said }: Stage) {
  const { id } = said('createCategory')
  return { params: { categoryId: id }, leaves: changed('category', id) }
}

function theProduct({ said }: Stage) {
  const { id } = said('createProduct')
  return { params: { productId: id }, leaves: changed('product', id) }
}

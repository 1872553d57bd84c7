import { productLine } from '../support/commerce/catalog.ts'
import { type Calls, changed, created, deleted } from './call.ts'
import { type Marketplace, newCategory } from './marketplace.ts'

/** A GIF of one pixel. */
const DOT = 'R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=='

/** Categories, products, pictures, promotions and imports. */
export const callsOfCatalog = {
  createCategory: () => ({ body: { slug: 'hats', names: { en: 'Hats' } }, audit: created('category', ({ id }) => id) }),
  updateCategory: async (marketplace) => ({
    ...(await changedCategory(marketplace, 'positioned')),
    body: { position: 4 },
  }),
  moveCategory: async (marketplace) => ({
    ...(await changedCategory(marketplace, 'moved')),
    body: { parentId: null, slug: 'caps' },
  }),
  listCategories: () => ({}),
  createProduct: () => ({ body: productBody('cap-1'), audit: created('product', ({ id }) => id) }),
  updateProduct: async (marketplace) => {
    const { id } = await newProduct(marketplace, 'cap-2')
    return { params: { productId: id }, body: { status: 'published', brand: 'Loom' }, audit: changed('product', id) }
  },
  setProductStock: async (marketplace) => {
    const { id, skus } = await newProduct(marketplace, 'cap-3')
    return {
      params: { productId: id },
      body: { skuId: skus[0].id, environment: 'live', onHand: 12, whenOutOfStock: 'deny' },
      audit: changed('product', id),
    }
  },
  listProducts: () => ({ query: { q: 'mug' } }),
  getProduct: async (marketplace) => ({ params: { productId: (await newProduct(marketplace, 'cap-4')).id } }),
  createPromotion: () => ({
    body: {
      store: 'ceramics',
      code: 'TENTH',
      title: { en: 'A tenth' },
      effect: { kind: 'percentage', target: 'order', rate: '0.1' },
    },
    audit: created('promotion', ({ id }) => id),
  }),
  updatePromotion: ({ shop }) => {
    const id = shop.promotionId('BIG')
    return { params: { promotionId: id }, body: { status: 'paused' }, audit: changed('promotion', id) }
  },
  tryPromotions: () => ({
    body: {
      store: 'ceramics',
      lines: [{ sku: 'MUG', quantity: 2 }],
      currency: 'EUR',
      country: 'DE',
      code: 'SUMMER15',
    },
  }),
  listPromotions: () => ({}),
  getPromotion: ({ shop }) => ({ params: { promotionId: shop.promotionId('SUMMER15') } }),
  listSearchRules: async ({ operator }) => {
    await operator.change('PUT', '/search/rules', redirected('tankards'))
    return { query: { q: 'tankard' } }
  },
  saveSearchRule: () => ({ body: redirected('cups'), audit: created('search_rule', ({ id }) => id) }),
  deleteSearchRule: async ({ operator }) => {
    const { id } = await operator.change('PUT', '/search/rules', redirected('beakers'))
    return { params: { ruleId: id }, audit: deleted('search_rule', id) }
  },
  listSearchSynonyms: async (marketplace) => {
    await newSynonyms(marketplace)
    return {}
  },
  createSearchSynonyms: () => ({
    body: { language: 'en', source: null, words: ['mug', 'cup'] },
    audit: created('search_synonyms', ({ id }) => id),
  }),
  updateSearchSynonyms: async (marketplace) => {
    const id = await newSynonyms(marketplace)
    return {
      params: { synonymsId: id },
      body: { language: null, source: 'goblet', words: ['mug'] },
      audit: changed('search_synonyms', id),
    }
  },
  deleteSearchSynonyms: async (marketplace) => {
    const id = await newSynonyms(marketplace)
    return { params: { synonymsId: id }, audit: deleted('search_synonyms', id) }
  },
  listShippedSynonyms: () => ({}),
  switchShippedSynonyms: () => ({
    body: { on: false, names: [{ language: 'en', word: 'laptop' }] },
    audit: changed('search_synonyms', 'shipped'),
  }),
  getSearchInsight: () => ({ query: { from: '2026-05-01', to: '2026-05-31' } }),
  previewSearch: () => ({ body: { q: 'mug', rule: redirected('mug') } }),
  uploadPicture: () => ({
    upload: new Uint8Array(Buffer.from(DOT, 'base64')),
    audit: created('picture', ({ url }) => /\/media\/([0-9a-f]{32})-1\//.exec(url)![1]!),
  }),
  importCatalog: () => ({
    query: { format: 'jsonl', store: 'ceramics', name: 'plates.jsonl' },
    upload: JSON.stringify(productLine('plate')),
    audit: created('import', ({ id }) => id),
  }),
  cancelImport: async ({ operator }) => {
    const { id } = await operator.upload('/imports?store=ceramics&format=jsonl', JSON.stringify(productLine('saucer')))
    return { params: { importId: id }, body: {}, audit: changed('import', id) }
  },
  listImports: () => ({}),
  getImport: ({ importId }) => ({ params: { importId } }),
  previewImport: () => ({
    query: { store: 'ceramics', format: 'csv' },
    upload: 'Handle,Title,Variant Price\njug,Jug,19.00\n',
  }),
  getImportUndo: ({ importId }) => ({ params: { importId } }),
  undoImport: async (marketplace) => {
    const { operator, shop } = marketplace
    const { id } = await operator.upload('/imports?store=ceramics&format=jsonl', JSON.stringify(productLine('ladle')))
    await shop.work()
    return { params: { importId: id }, body: {}, audit: changed('import', id) }
  },
  exportImportRefusals: ({ importId }) => ({ params: { importId } }),
  exportProducts: () => ({ params: { storeSlug: 'ceramics' } }),
  exportCatalog: () => ({ params: { storeSlug: 'ceramics' } }),
  importLicenseKeys: ({ shop }) => ({
    params: { skuId: shop.sku('NOVEL') },
    query: { environment: 'test' },
    upload: 'NOVEL-KEY-ONE\n',
    audit: created('licence_pool', () => shop.sku('NOVEL')),
  }),
  listLicensePools: () => ({}),
} satisfies Partial<Calls>

function redirected(query: string) {
  return { query, language: null, pins: [], hidden: [], redirect: '/pages/mugs' }
}

async function newSynonyms({ operator }: Marketplace): Promise<string> {
  const body = { language: 'en', source: null, words: ['plate', 'dish'] }
  return (await operator.change('POST', '/search/synonyms', body)).id
}

async function changedCategory(marketplace: Marketplace, slug: string) {
  const { id } = await newCategory(marketplace, slug)
  return { params: { categoryId: String(id) }, audit: changed('category', id) }
}

function newProduct({ operator }: Marketplace, externalId: string) {
  return operator.change('POST', '/products', productBody(externalId))
}

function productBody(externalId: string) {
  return {
    store: 'ceramics',
    externalId,
    names: { en: 'Cap' },
    status: 'draft' as const,
    code: externalId.toUpperCase(),
    prices: [{ currency: 'EUR', amount: 1900 }],
    stock: 5,
  }
}

import { LOOK, siteOf, TERMS } from '../support/pages/site.ts'
import { type Calls, changed, created, deleted } from './call.ts'
import { type Marketplace, newStore } from './marketplace.ts'

const PARCEL = {
  name: { en: 'Parcel' },
  basis: 'subtotal' as const,
  minDays: 1,
  maxDays: 3,
  taxCategory: 'standard',
  rates: [{ currency: 'EUR', from: 0, upTo: null, amount: 490 }],
}

const CONFIRMED = { kind: 'orders.confirmed', language: 'en' }
const WORDS = {
  subject: 'Order {{order.number}}',
  heading: 'Thank you',
  introduction: 'Hello {{customer.name}}.',
  closing: '',
}
export const SELLER = {
  legalName: 'Harbor Goods GmbH',
  address: { line1: 'Am Hafen 1', postalCode: '20457', city: 'Hamburg' },
  country: 'DE',
  vatIds: [{ country: 'DE', id: 'DE136695976' }],
  email: 'office@harbor.example',
}

/** Stores, their staff and decoration, and the site. A call that changes a store creates that store. */
export const callsOfStores = {
  createStore: () => ({
    body: {
      slug: 'loom',
      names: { en: 'Loom' },
      currencies: ['EUR'],
      locales: ['en'],
      countries: ['DE'],
      pricesIncludeTax: true,
    },
    audit: created('store', ({ id }) => id),
  }),
  updateStore: async (marketplace) => ({
    ...(await changedStore(marketplace, 'renamed', 'store')),
    body: { names: { en: 'Linen & Loom' } },
  }),
  setStoreAccess: async (marketplace) => ({
    ...(await changedStore(marketplace, 'locked', 'store')),
    body: { mode: 'password', password: 'linen in the morning' },
  }),
  listStores: () => ({}),
  getStore: (marketplace) => seededStore(marketplace),
  createStaff: async (marketplace) => ({
    params: { storeSlug: (await newStore(marketplace, 'staffed')).slug },
    body: { email: 'eve@loom.example', password: 'a long sentence of eve' },
    audit: created('staff', ({ id }) => id),
  }),
  listStaff: (marketplace) => seededStore(marketplace),
  setStaffPassword: async ({ operator, storeSlug }) => {
    const liv = { email: 'liv@store.example', password: 'a long sentence of liv' }
    const { id } = await operator.change('POST', `/stores/${storeSlug}/staff`, liv)
    const body = { password: 'another long sentence of liv' }
    return { params: { storeSlug, staffId: id }, body, audit: changed('staff', id) }
  },
  removeStaff: async ({ operator, storeSlug }) => {
    const kim = { email: 'kim@store.example', password: 'a long sentence of kim' }
    const { id } = await operator.change('POST', `/stores/${storeSlug}/staff`, kim)
    return { params: { storeSlug, staffId: id }, audit: deleted('staff', id) }
  },
  saveTaxRates: async (marketplace) => ({
    ...(await changedStore(marketplace, 'taxed', 'tax_rates')),
    body: { rates: [{ country: 'DE', category: 'standard', code: 'vat', name: { en: 'VAT' }, rate: '0.19' }] },
  }),
  exportTaxReport: () => ({ params: { storeSlug: 'ceramics' }, query: { from: '2026-01-01', to: '2026-03-31' } }),
  getTaxRates: () => ({ params: { storeSlug: 'ceramics' } }),
  saveShippingZones: async (marketplace) => ({
    ...(await changedStore(marketplace, 'shipping', 'shipping_zones')),
    body: { zones: [{ name: 'Germany', places: [{ country: 'DE' }], methods: [PARCEL] }] },
  }),
  getShippingZones: () => ({ params: { storeSlug: 'ceramics' } }),
  getOrderPolicy: (marketplace) => seededStore(marketplace),
  saveOrderPolicy: async (marketplace) => {
    const { params, audit } = await changedStore(marketplace, 'strict', 'order_policy')
    const { policy } = (await marketplace.operator.get(`/stores/${params.storeSlug}/order-policy`)).body.data
    const shorter = { ...policy, cancellation: { ...policy.cancellation, windowMinutes: 60 } }
    return { params, body: { policy: shorter }, audit }
  },
  saveStoreDecorationDraft: async (marketplace) => {
    const { params, audit } = await changedStore(marketplace, 'plain', 'decoration')
    return { params, body: LOOK, audit: { ...audit, kind: 'created' } }
  },
  previewStoreDecoration: (marketplace) => ({ ...seededStore(marketplace), query: { locale: 'en' } }),
  publishStoreDecoration: async (marketplace) => {
    const { storeId, ...call } = await changedStore(marketplace, 'drafted', 'decoration')
    await siteOf(marketplace.shop).draft(storeId)
    return { ...call, body: {} }
  },
  takeUpStoreDecoration: async (marketplace) => {
    const { storeId, ...call } = await changedStore(marketplace, 'published', 'decoration')
    const site = siteOf(marketplace.shop)
    await site.draft(storeId)
    await site.publishDecorationDraft(storeId)
    return { ...call, body: { version: 1 } }
  },
  previewStoreBranding: (marketplace) => ({ ...seededStore(marketplace), body: { primaryColor: '#2f5d50' } }),
  saveStoreBranding: async (marketplace) => {
    const { params, audit } = await changedStore(marketplace, 'branded', 'decoration')
    return { params, body: { primaryColor: '#2f5d50' }, audit }
  },
  getStoreDecorationDraft: (marketplace) => seededStore(marketplace),
  saveSite: () => ({ body: { name: 'Harbor Goods' }, audit: changed('site', 'site') }),
  getSite: () => ({}),
  saveSellerRecord: () => ({
    body: { ...SELLER, legalName: 'Harbor AG' },
    audit: changed('seller_record', 'marketplace'),
  }),
  getSellerRecord: ({ storeSlug }) => ({ query: { storeSlug } }),
  saveContactList: () => ({
    params: { locale: 'en' },
    body: {
      channels: [{ id: 'mail', type: 'email', label: 'Service', value: 'help@shop.example', languages: ['en'] }],
    },
    audit: changed('contact', 'en'),
  }),
  listContactLists: () => ({}),
  publishLegalDocument: async (marketplace) => ({
    body: { ...TERMS, storeSlug: (await newStore(marketplace, 'legal')).slug },
    audit: created('legal_document', ({ document }) => document.id),
  }),
  listLegalVersions: ({ storeSlug }) => ({ query: { storeSlug } }),
  getLegalDocument: ({ legalDocumentId }) => ({ params: { documentId: legalDocumentId } }),
  listMailTemplates: () => ({ query: {} }),
  getMailTemplate: () => ({ params: CONFIRMED, query: {} }),
  saveMailTemplate: async (marketplace) => {
    const { slug, id } = await newStore(marketplace, 'lettered')
    const audit = changed('mail_template', `orders.confirmed en ${id}`)
    return { params: CONFIRMED, body: { storeSlug: slug, words: WORDS }, audit }
  },
  previewMailTemplate: () => ({ params: CONFIRMED, body: { words: WORDS } }),
  sendTestMail: () => ({
    params: CONFIRMED,
    body: { words: WORDS },
    audit: created('test_mail', () => 'orders.confirmed'),
  }),
  getMailSender: () => ({ query: {} }),
  saveMailSender: async (marketplace) => {
    const { slug, id } = await newStore(marketplace, 'signed')
    const body = { storeSlug: slug, name: 'Loom', address: 'shop@loom.example' }
    return { body, audit: changed('mail_sender', id) }
  },
} satisfies Partial<Calls>

function seededStore({ storeSlug }: Marketplace) {
  return { params: { storeSlug } }
}

/** A new store, and the audit entry of a change to it. */
async function changedStore(marketplace: Marketplace, slug: string, subjectType: string) {
  const { id } = await newStore(marketplace, slug)
  return { storeId: String(id), params: { storeSlug: slug }, audit: changed(subjectType, id) }
}

import { LOOK, TERMS } from '../support/pages/site.ts'
import { type Calls, changed, gone, made, type Stage } from './call.ts'

const loom = { storeSlug: 'loom' }
const ofLoom = (type: string, { said }: Stage) => changed(type, said('createStore').id)

const PARCEL = {
  name: { en: 'Parcel' },
  basis: 'subtotal' as const,
  minDays: 1,
  maxDays: 3,
  taxCategory: 'standard',
  rates: [{ currency: 'EUR', from: 0, upTo: null, amount: 490 }],
}

/** A store, who works for it, and what it looks like; and the site around it. */
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
    leaves: made('store', ({ id }) => id),
  }),
  updateStore: (stage) => ({ params: loom, body: { names: { en: 'Linen & Loom' } }, leaves: ofLoom('store', stage) }),
  setStoreAccess: (stage) => ({
    params: loom,
    body: { mode: 'password', password: 'linen in the morning' },
    leaves: ofLoom('store', stage),
  }),
  listStores: () => ({}),
  getStore: () => ({ params: loom }),
  createStaff: () => ({
    params: loom,
    body: { email: 'eve@loom.example', password: 'a long sentence of eve' },
    leaves: made('staff', ({ id }) => id),
  }),
  listStaff: () => ({ params: loom }),
  removeStaff: ({ said }) => {
    const { id } = said('createStaff')
    return { params: { ...loom, staffId: id }, leaves: gone('staff', id) }
  },
  saveTaxRates: (stage) => ({
    params: loom,
    body: { rates: [{ country: 'DE', category: 'standard', code: 'vat', name: { en: 'VAT' }, rate: '0.19' }] },
    leaves: ofLoom('tax_rates', stage),
  }),
  getTaxRates: () => ({ params: loom }),
  saveShippingZones: (stage) => ({
    params: loom,
    body: { zones: [{ name: 'Germany', places: [{ country: 'DE' }], methods: [PARCEL] }] },
    leaves: ofLoom('shipping_zones', stage),
  }),
  getShippingZones: () => ({ params: loom }),
  getOrderPolicy: () => ({ params: loom }),
  saveOrderPolicy: (stage) => {
    const { policy } = stage.said('getOrderPolicy')
    const shorter = { ...policy, cancellation: { ...policy.cancellation, windowMinutes: 60 } }
    return { params: loom, body: { policy: shorter }, leaves: ofLoom('order_policy', stage) }
  },
  saveStoreDecorationDraft: ({ said }) => ({
    params: loom,
    body: LOOK,
    leaves: made('decoration', () => said('createStore').id),
  }),
  previewStoreDecoration: () => ({ params: loom, query: { locale: 'en' } }),
  publishStoreDecoration: (stage) => ({ params: loom, body: {}, leaves: ofLoom('decoration', stage) }),
  takeUpStoreDecoration: (stage) => ({ params: loom, body: { version: 1 }, leaves: ofLoom('decoration', stage) }),
  getStoreDecorationDraft: () => ({ params: loom }),
  saveSite: () => ({ body: { name: 'Harbour Goods' }, leaves: changed('site', 'site') }),
  getSite: () => ({}),
  saveContactList: () => ({
    params: { locale: 'en' },
    body: {
      channels: [{ id: 'mail', type: 'email', label: 'Service', value: 'help@shop.example', languages: ['en'] }],
    },
    leaves: changed('contact', 'en'),
  }),
  listContactLists: () => ({}),
  publishLegalDocument: () => ({
    body: { ...TERMS, storeSlug: 'loom' },
    leaves: made('legal_document', ({ document }) => document.id),
  }),
  listLegalVersions: () => ({ query: { storeSlug: 'loom' } }),
  getLegalDocument: ({ said }) => ({ params: { documentId: said('publishLegalDocument').document.id } }),
} satisfies Partial<Calls>

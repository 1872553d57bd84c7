import type { PageEntry } from '../../pages.ts'

export const shippingPages: readonly PageEntry[] = [
  {
    path: '/shipping',
    title: 'Shipping',
    menu: 'Catalogue',
    load: async () => (await import('./shipping-page.tsx')).ShippingPage,
  },
]

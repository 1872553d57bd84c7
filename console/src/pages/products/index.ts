import type { PageEntry } from '../../pages.ts'

export const productPages: readonly PageEntry[] = [
  {
    path: '/products',
    title: 'Products',
    menu: 'Catalogue',
    load: async () => (await import('./products-page.tsx')).ProductsPage,
  },
  {
    path: '/products/:productId',
    title: 'Product',
    load: async () => (await import('./product-page.tsx')).ProductPage,
  },
]

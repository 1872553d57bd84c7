import type { PageEntry } from '../../pages.ts'

export const storePages: readonly PageEntry[] = [
  {
    path: '/stores',
    title: 'Stores',
    menu: 'Catalogue',
    load: async () => (await import('./stores-page.tsx')).StoresPage,
  },
  {
    path: '/stores/:storeSlug',
    title: 'Store',
    load: async () => (await import('./store-page.tsx')).StorePage,
  },
]

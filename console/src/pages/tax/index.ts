import type { PageEntry } from '../../pages.ts'

export const taxPages: readonly PageEntry[] = [
  {
    path: '/tax',
    title: 'Tax',
    menu: 'Catalogue',
    load: async () => (await import('./tax-page.tsx')).TaxPage,
  },
]

import type { PageEntry } from '../../pages.ts'

export const categoryPages: readonly PageEntry[] = [
  {
    path: '/categories',
    title: 'Categories',
    menu: 'Catalogue',
    load: async () => (await import('./categories-page.tsx')).CategoriesPage,
  },
]

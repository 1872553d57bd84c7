import type { PageEntry } from '../../pages.ts'

export const policyPages: readonly PageEntry[] = [
  {
    path: '/policies',
    title: 'Promises',
    menu: 'Selling',
    load: async () => (await import('./policies-page.tsx')).PoliciesPage,
  },
]

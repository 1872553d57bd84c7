import type { PageEntry } from '../../pages.ts'

export const customerPages: readonly PageEntry[] = [
  {
    path: '/customers',
    title: 'Customers',
    menu: 'Selling',
    load: async () => (await import('./customers-page.tsx')).CustomersPage,
  },
  {
    path: '/customers/:customerId',
    title: 'Customer',
    load: async () => (await import('./customer-page.tsx')).CustomerPage,
  },
]

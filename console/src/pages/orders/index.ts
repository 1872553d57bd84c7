import type { PageEntry } from '../../pages.ts'

export const orderPages: readonly PageEntry[] = [
  {
    path: '/orders',
    title: 'Orders',
    menu: 'Selling',
    load: async () => (await import('./orders-page.tsx')).OrdersPage,
  },
  {
    path: '/orders/import',
    title: 'Import orders',
    load: async () => (await import('./import-page.tsx')).ImportOrdersPage,
  },
  {
    path: '/orders/:orderId',
    title: 'Order',
    load: async () => (await import('./order-page.tsx')).OrderPage,
  },
]

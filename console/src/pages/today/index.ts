import type { PageEntry } from '../../pages.ts'

export const todayPages: readonly PageEntry[] = [
  {
    path: '/',
    title: 'Dashboard',
    menu: 'Today',
    load: async () => (await import('./dashboard-page.tsx')).DashboardPage,
  },
]

import type { PageEntry } from '../../pages.ts'

export const oauthPages: readonly PageEntry[] = [
  { path: '/apps', title: 'Apps', menu: 'Integrations', load: async () => (await import('./apps-page.tsx')).AppsPage },
  {
    path: '/grants',
    title: 'Grants',
    menu: 'Integrations',
    load: async () => (await import('./grants-page.tsx')).GrantsPage,
  },
]

import type { PageEntry } from '../../pages.ts'

export const installationPages: readonly PageEntry[] = [
  {
    path: '/installations',
    title: 'Installations',
    menu: 'Integrations',
    load: async () => (await import('./installations-page.tsx')).InstallationsPage,
  },
  {
    path: '/installations/:installationId',
    title: 'Installation',
    load: async () => (await import('./installation-page.tsx')).InstallationPage,
  },
  {
    path: '/readiness',
    title: 'Readiness',
    menu: 'Integrations',
    load: async () => (await import('./readiness-page.tsx')).ReadinessPage,
  },
]

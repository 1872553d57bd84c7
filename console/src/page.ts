import type { FunctionComponent } from 'preact'

/** What every page gets: the values of the parameters in its path. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>
}

/** The groups of the menu, in order. */
export const MENU = ['Dashboard', 'Orders', 'Catalog', 'Site', 'Integrations', 'Settings'] as const
export type MenuGroup = (typeof MENU)[number]

/** A page of the console. Its code is loaded when it is first opened. */
export interface PageEntry {
  readonly path: string
  readonly title: string
  /** The menu group it belongs to; absent: not in the menu, reached from another page. */
  readonly menu?: MenuGroup
  load(): Promise<FunctionComponent<PageProps>>
}

import type { OperatorArea, OperatorSession, OperatorWork } from '@vitrine/contract/operator'
import { createContext, type FunctionComponent } from 'preact'
import { useContext } from 'preact/hooks'
import { translate } from './language.ts'
import type { IconName } from './ui/icon.tsx'
import type { PageLayoutProps } from './ui/page.tsx'

/** The props of every page: the values of the parameters in its path. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>
}

/** The sections of the menu, in order: at most twelve. Each opens its first page and shows the others as tabs. */
export const SECTIONS = [
  { name: 'Today', title: translate('Today'), icon: 'today' },
  { name: 'Orders', title: translate('Orders'), icon: 'orders' },
  { name: 'Returns', title: translate('Returns'), icon: 'returns' },
  { name: 'Payments', title: translate('Payments'), icon: 'payments' },
  { name: 'Customers', title: translate('Customers'), icon: 'customers' },
  { name: 'Catalog', title: translate('Products'), icon: 'products', apart: true },
  { name: 'Promotions', title: translate('Promotions'), icon: 'promotions' },
  { name: 'Stores', title: translate('Stores'), icon: 'stores' },
  { name: 'Site', title: translate('Site'), icon: 'site' },
  { name: 'Integrations', title: translate('Integrations'), icon: 'integrations', apart: true },
  { name: 'Settings', title: translate('Settings'), icon: 'settings' },
  { name: 'System', title: translate('System'), icon: 'system' },
] as const satisfies readonly {
  readonly name: string
  readonly title: string
  readonly icon: IconName
  /** Separated by a line above. */
  readonly apart?: true
}[]
export type SectionName = (typeof SECTIONS)[number]['name']

/** The name of a count of open tasks. */
export type WorkCount = Exclude<keyof OperatorWork, 'environment'>

/** A page of the console. Its code is loaded when it is first opened. */
export interface PageEntry {
  readonly path: string
  readonly title: string
  /** The section of the menu; absent for a page that is reached from another page. */
  readonly menu?: SectionName
  /** The page of the menu that it is reached from, if its path does not begin with the path of that page. */
  readonly list?: string
  /** The label of its tab, if it differs from the title. */
  readonly tab?: string
  /** The counts of the open tasks on the page. */
  readonly work?: readonly WorkCount[]
  /** Only roles with access to this area see the page; absent: all operators do. */
  readonly area?: OperatorArea
  /** Operators of one store see the page too, limited to their store. */
  readonly perStore?: true
  /** The page shows test or live data, and its URL has the environment. */
  readonly byEnvironment?: true
  load(): Promise<FunctionComponent<PageProps>>
}

/** The session of the operator, with their access. */
export const Access = createContext<OperatorSession | null>(null)

/** The store of an operator of one store. */
export function useOwnStore(): string | undefined {
  return useContext(Access)?.operator.store
}

/** The heading of a page while its record is not loaded, and the list that it belongs to. */
export const Placeholder = createContext<Pick<PageLayoutProps, 'title' | 'back'>>({ title: '' })

/** Whether a page is shown to an operator. */
export function isOpen(
  { area, perStore }: Pick<PageEntry, 'area' | 'perStore'>,
  session: OperatorSession | null,
): boolean {
  if (session === null) return true
  if (session.operator.store !== undefined && !perStore) return false
  return area === undefined || session.access[area] !== 'none'
}

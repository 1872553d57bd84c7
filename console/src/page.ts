import type { OperatorArea, OperatorSession, OperatorWork } from '@vitrine/contract/operator'
import { createContext, type FunctionComponent } from 'preact'
import { translate } from './language.ts'
import type { IconName } from './ui/icon.tsx'

/** What every page gets: the values of the parameters in its path. */
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
  /** With a line above it. */
  readonly apart?: true
}[]
export type SectionName = (typeof SECTIONS)[number]['name']

/** A count of what waits. */
export type WorkCount = Exclude<keyof OperatorWork, 'environment'>

/** A page of the console. Its code is loaded when it is first opened. */
export interface PageEntry {
  readonly path: string
  readonly title: string
  /** The section it belongs to; absent: reached from another page. */
  readonly menu?: SectionName
  /** Its name among the tabs, if it is not its title. */
  readonly tab?: string
  /** What waits there. */
  readonly work?: readonly WorkCount[]
  /** Whose it is: a role without access to this area does not see it. Absent: everyone's. */
  readonly area?: OperatorArea
  /** Operators of one store see it, and only their store in it. */
  readonly perStore?: true
  /** It shows test or live: its URL says which. */
  readonly byEnvironment?: true
  load(): Promise<FunctionComponent<PageProps>>
}

/** Who is at work, and what they may do. */
export const Access = createContext<OperatorSession | null>(null)

/** Whether a page is shown to an operator. */
export function isOpen(
  { area, perStore }: Pick<PageEntry, 'area' | 'perStore'>,
  session: OperatorSession | null,
): boolean {
  if (session === null) return true
  if (session.operator.store !== undefined && !perStore) return false
  return area === undefined || session.access[area] !== 'none'
}

import type { FunctionComponent } from 'preact'
import { afterSalesPages } from './pages/after-sales/index.ts'
import { auditPages } from './pages/audit/index.ts'
import { categoryPages } from './pages/categories/index.ts'
import { customerPages } from './pages/customers/index.ts'
import { decorationPages } from './pages/decorations/index.ts'
import { fulfilmentPages } from './pages/fulfilment/index.ts'
import { importPages } from './pages/imports/index.ts'
import { installationPages } from './pages/installations/index.ts'
import { legalPages } from './pages/legal/index.ts'
import { mailboxPages } from './pages/mailbox/index.ts'
import { oauthPages } from './pages/oauth/index.ts'
import { operatorPages } from './pages/operators/index.ts'
import { orderPages } from './pages/orders/index.ts'
import { paymentPages } from './pages/payments/index.ts'
import { policyPages } from './pages/policies/index.ts'
import { productPages } from './pages/products/index.ts'
import { promotionPages } from './pages/promotions/index.ts'
import { shippingPages } from './pages/shipping/index.ts'
import { sitePages } from './pages/site/index.ts'
import { storePages } from './pages/stores/index.ts'
import { taxPages } from './pages/tax/index.ts'
import { todayPages } from './pages/today/index.ts'
import { webhookPages } from './pages/webhooks/index.ts'

/** What every page is given: the values of its path. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>
}

/** A page of the console. Its code is loaded when somebody goes there. */
export interface PageEntry {
  readonly path: string
  readonly title: string
  /** The group of the menu that it stands in; absent: reached from another page. */
  readonly menu?: MenuGroup
  load(): Promise<FunctionComponent<PageProps>>
}

export const MENU = ['Today', 'Selling', 'Catalogue', 'Site', 'Integrations', 'House'] as const
export type MenuGroup = (typeof MENU)[number]

/** Every page, in the order of the menu. */
export const pages: readonly PageEntry[] = [
  ...todayPages,
  ...orderPages,
  ...afterSalesPages,
  ...fulfilmentPages,
  ...paymentPages,
  ...customerPages,
  ...policyPages,
  ...productPages,
  ...categoryPages,
  ...promotionPages,
  ...storePages,
  ...importPages,
  ...taxPages,
  ...shippingPages,
  ...sitePages,
  ...legalPages,
  ...decorationPages,
  ...installationPages,
  ...oauthPages,
  ...webhookPages,
  ...mailboxPages,
  ...operatorPages,
  ...auditPages,
]

import type { OperatorArea, OperatorLaunch } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { storeName } from '../../stores.ts'
import { DOCUMENT_NAMES } from '../legal/document-names.ts'

type Code = OperatorLaunch['steps'][number]['code']

/** The texts of a step, and the page to complete it. */
interface LaunchStep {
  readonly title: string
  readonly why: string
  readonly to: string
  readonly action: string
  /** A role that cannot change this area sees no link. */
  readonly area: OperatorArea
}

export const LAUNCH_STEPS: Readonly<Record<Code, LaunchStep>> = {
  seller: {
    title: translate('Enter the seller details'),
    why: translate(
      'Invoices and emails have to name the seller, with address and tax numbers. Without them no invoice is issued.',
    ),
    to: '/site',
    action: translate('Enter details'),
    area: 'settings',
  },
  legal: {
    title: translate('Publish the legal documents'),
    why: translate('Shoppers accept the terms and the return policy at checkout, and the imprint is on every page.'),
    to: '/legal/publish',
    action: translate('Publish a document'),
    area: 'settings',
  },
  store: {
    title: translate('Create a store'),
    why: translate('Its name, currencies, languages and countries decide what shoppers see and where you sell.'),
    to: '/stores',
    action: translate('Create a store'),
    area: 'stores',
  },
  product: {
    title: translate('Publish a product with a picture'),
    why: translate('Products without a picture are rarely bought.'),
    to: '/products',
    action: translate('Add a product'),
    area: 'catalog',
  },
  shipping: {
    title: translate('Set up shipping'),
    why: translate(
      'A store does not deliver to places without a shipping zone, and carts from there cannot be bought.',
    ),
    to: '/shipping',
    action: translate('Set up shipping'),
    area: 'settings',
  },
  tax: {
    title: translate('Set up tax'),
    why: translate('A cart cannot be bought while a product has no tax rate for its destination.'),
    to: '/tax',
    action: translate('Set up tax'),
    area: 'settings',
  },
  payment: {
    title: translate('Set up payments'),
    why: translate(
      'Live checkouts need a payment provider with live keys, or a bank account for transfers, in every currency you sell in.',
    ),
    to: '/bank-accounts',
    action: translate('Add a bank account'),
    area: 'finance',
  },
  mail: {
    title: translate('Send a test email'),
    why: translate(
      'Order confirmations, password resets and return instructions arrive by email. Set SMTP_URL, then send yourself a test.',
    ),
    to: '/mail-templates',
    action: translate('Send a test email'),
    area: 'settings',
  },
  policies: {
    title: translate('Decide on cancellations and returns'),
    why: translate('Until you save a policy, the defaults apply to what shoppers may cancel and send back.'),
    to: '/policies',
    action: translate('Set the policies'),
    area: 'settings',
  },
  connection: {
    title: translate('Connect your shop'),
    why: translate('A shop, an app or an agent sells through an API key of its installation.'),
    to: '/installations',
    action: translate('Create an API key'),
    area: 'apps',
  },
  test_order: {
    title: translate('Place a test order'),
    why: translate('Buy something in the test environment, up to the confirmation email. Nothing is charged.'),
    to: '/orders?environment=test',
    action: translate('See test orders'),
    area: 'orders',
  },
  live: {
    title: translate('Switch to live'),
    why: translate('Live keys work once all evidence is recorded, such as a restored backup.'),
    to: '/readiness',
    action: translate('Check readiness'),
    area: 'apps',
  },
}

const PROOFS: Readonly<Record<string, string>> = {
  public_address_https: 'HTTPS',
  mail_delivered: translate('delivered email'),
  legal_documents_reviewed: translate('reviewed documents'),
  payment_provider_live: translate('live payment'),
  backup_restored: translate('restored backup'),
}

/** The display names of what is missing: documents, proofs and stores by name, anything else as it is. */
export function missingText(code: Code, missing: readonly string[]): string {
  const names: Readonly<Record<string, string>> = code === 'legal' ? DOCUMENT_NAMES : code === 'live' ? PROOFS : {}
  return missing.map((each) => names[each] ?? storeName(each)).join(', ')
}

import type { OperatorCustomer, OperatorCustomerSummary, operatorOperations } from '@vitrine/contract/operator'
import {
  type CustomerRecord,
  type CustomerSearch,
  endSessions,
  findCustomerRecord,
  listCustomerRecords,
  lockCustomer,
  setCustomerStatus,
  setMarketingConsent,
} from '../../../features/accounts/index.ts'
import { maskedEmail } from '../../../features/orders/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import type { OperatorHandler, OperatorWriteContext } from '../../door/handler.ts'
import { likeOf, pagingOf } from '../../door/paging.ts'

type Rows = typeof operatorOperations

/** The statuses of the API and those of the database. */
const STORED = { active: 'active', disabled: 'blocked' } as const
const SHOWN = { active: 'active', blocked: 'disabled' } as const

/** GET /operator/v1/customers */
function listCustomers(cursorSecret: Secret): OperatorHandler<Rows['listCustomers']> {
  return async ({ query }, { reader }) => {
    const { q, status } = query
    const paging = pagingOf<string>(cursorSecret, ['customers', q, status], query)
    const page = { afterId: paging.after, limit: paging.limit }
    const found = await listCustomerRecords(reader, { ...customersIn(query), ...page })
    return paging.page(found, ({ id }) => id, presentSummary)
  }
}

/** The customers of a list or an export. */
export type CustomersIn = Omit<CustomerSearch, 'afterId' | 'limit'>

/** The customers that a search and a status leave. */
export function customersIn({
  q,
  status,
}: {
  readonly q?: string
  readonly status?: keyof typeof STORED
}): CustomersIn {
  return { ...namedBy(q?.trim()), status: status && STORED[status] }
}

/** Recognizes a complete email address or id by its format; anything else is part of a name. */
function namedBy(q: string | undefined): Pick<CustomerSearch, 'id' | 'email' | 'like'> {
  if (!q) return {}
  if (q.startsWith('cus_')) return { id: q }
  return q.includes('@') ? { email: q } : { like: likeOf(q) ?? undefined }
}

/** GET /operator/v1/customers/{customerId} */
const getCustomer: OperatorHandler<Rows['getCustomer']> = async ({ params }, { reader, now }) => {
  return presentCustomer((await findCustomerRecord(reader, params.customerId, now)) ?? refuse('not_found'))
}

/** POST /operator/v1/customers/{customerId}/disable */
const disableCustomer: OperatorHandler<Rows['disableCustomer']> = ({ params }, context) => {
  return changed(params.customerId, context, ({ status }) => setStatus(params.customerId, context, status, 'blocked'))
}

/** POST /operator/v1/customers/{customerId}/enable */
const enableCustomer: OperatorHandler<Rows['enableCustomer']> = ({ params }, context) => {
  return changed(params.customerId, context, ({ status, closed_at }) => {
    if (closed_at !== null) refuse('state_conflict', { conflict: { currentState: 'closed' } })
    setStatus(params.customerId, context, status, 'active')
  })
}

/** POST /operator/v1/customers/{customerId}/end-sessions */
const endCustomerSessions: OperatorHandler<Rows['endCustomerSessions']> = ({ params }, context) => {
  return changed(params.customerId, context, () => endSessions(context.tx, params.customerId))
}

/** POST /operator/v1/customers/{customerId}/withdraw-consent */
const withdrawCustomerConsent: OperatorHandler<Rows['withdrawCustomerConsent']> = ({ params }, context) => {
  return changed(params.customerId, context, async ({ marketing_consent: isGiven }) => {
    if (!isGiven) refuse('state_conflict', { conflict: { currentState: 'not_subscribed' } })
    await setMarketingConsent(context.tx, params.customerId, false, context.now, 'operator')
  })
}

export function customerOperations({ cursorSecret }: { readonly cursorSecret: Secret }) {
  return {
    listCustomers: listCustomers(cursorSecret),
    getCustomer,
    disableCustomer,
    enableCustomer,
    endCustomerSessions,
    withdrawCustomerConsent,
  }
}

function setStatus(
  id: string,
  { tx, now }: OperatorWriteContext,
  from: CustomerRecord['status'],
  to: CustomerRecord['status'],
): void {
  if (from === to) refuse('state_conflict', { conflict: { currentState: SHOWN[from] } })
  setCustomerStatus(tx, id, to, now)
}

/** Changes a customer under lock and records the change, without the email address. */
async function changed(
  id: string,
  { tx, now, audit }: OperatorWriteContext,
  change: (before: CustomerRecord) => void | Promise<void>,
): Promise<OperatorCustomer> {
  const before = (await lockCustomer(tx, id, now)) ?? refuse('not_found')
  await change(before)
  const after = present(await findCustomerRecord(tx, id, now), 'just changed')
  const standing = ({ status, sessions, marketing_consent: marketingConsent }: CustomerRecord) => ({
    status: SHOWN[status],
    sessions,
    marketingConsent,
  })
  audit({ subject: { type: 'customer', id }, before: standing(before), after: standing(after) })
  return presentCustomer(after)
}

function presentSummary({
  id,
  email,
  first_name,
  last_name,
  status,
  created_at,
}: Omit<CustomerRecord, 'sessions' | 'consents'>): OperatorCustomerSummary {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return {
    id,
    ...(name && { name }),
    emailMasked: maskedEmail(email),
    status: SHOWN[status],
    createdAt: created_at.toISOString(),
  }
}

function presentCustomer(customer: CustomerRecord): OperatorCustomer {
  const { id, email, first_name, last_name, locale, status, accepted_documents, sessions, version } = customer
  return {
    id,
    email,
    ...(first_name !== null && { firstName: first_name }),
    ...(last_name !== null && { lastName: last_name }),
    locale,
    status: SHOWN[status],
    marketingConsent: customer.marketing_consent,
    acceptedDocuments: accepted_documents.map((each) => ({ type: each.type, version: each.version })),
    consents: customer.consents.map(({ at, is_given, source }) => ({
      at: new Date(at).toISOString(),
      given: is_given,
      source,
    })),
    sessions,
    version,
    createdAt: customer.created_at.toISOString(),
    updatedAt: customer.updated_at.toISOString(),
  }
}

import { comparableEmail } from '../../kernel/email.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** The ids and words that identify a person in the tables. */
export interface Person {
  readonly customers: readonly string[]
  readonly emails: readonly string[]
  readonly orders: readonly string[]
  readonly carts: readonly string[]
  /** Charges and refunds. */
  readonly payments: readonly string[]
  /** The subjects of events, jobs and audit entries: all ids above, and those of checkout sessions and of the objects of orders. */
  readonly subjects: readonly string[]
  /** Texts that identify the person wherever they occur, in lower case: addresses, and order numbers that no one else has. */
  readonly words: readonly string[]
  /** Names and phone numbers, in lower case. Others may have the same, so they select no emails, jobs or answers. */
  readonly names: readonly string[]
  /** The numbers of open orders and the ids of open checkout sessions. */
  readonly open: readonly string[]
}

/** The identifier of a person: an email address, or the id of an account. */
export type PersonName = { readonly email: string } | { readonly customerId: string }

const findAccounts = statement<{ id: string; email: string; name: string | null; phone: string | null }>(
  'privacy.accounts',
  `select id, email, nullif(concat_ws(' ', first_name, last_name), '') as name, phone from customers
   where id = any ($1) or email_key = any ($2) or lower(email) = any ($2)`,
)
const findOwners = statement<{ email_key: string }>(
  'privacy.owners',
  'select email_key from customers where email_key = any ($1) and id <> all ($2)',
)
const isOrderOf = (row: string) => `(${row}.id = any ($1) or ${row}.customer_id = any ($2)
  or lower(${row}.email) = any ($3) and (${row}.customer_id is null or not $4))`
const findOrders = statement<{
  id: string
  number: string
  /** Whether someone else has an order with this number, of another installation. */
  is_number_shared: boolean
  is_open: boolean
  charge_id: string | null
  cart_id: string | null
  names: string[]
}>(
  'privacy.orders',
  `select id, number, charge_id, cart_id,
     exists (select from orders other where other.number = orders.number and ${isOrderOf('other')} is not true) as is_number_shared,
     status not in ('completed', 'canceled') or refund_pending > 0 or unknown > 0 or charge in ('pending', 'authorized')
       or exists (select from cancellations where order_id = orders.id and status in ('requested', 'approved'))
       or exists (select from after_sales where order_id = orders.id
         and status not in ('completed', 'declined', 'withdrawn', 'expired')) as is_open,
     array_remove(array[shipping_address ->> 'recipientName', billing_address ->> 'recipientName', phone,
       shipping_address ->> 'phone', billing_address ->> 'phone'], null) as names
   from orders where ${isOrderOf('orders')}`,
)
const findRest = statement<{ kind: 'cart' | 'session' | 'open_session' | 'payment' | 'other'; id: string }>(
  'privacy.rest',
  `with cart as (select id, order_id, checkout_session_id from carts
       where id = any ($1) or customer_id = any ($2) or order_id = any ($4)
         or lower(contact ->> 'email') = any ($3) and (customer_id is null or not $6)),
     session as (select id, status from checkout_sessions
       where cart_id in (select id from cart) or lower(contact ->> 'email') = any ($3)
         and not ($6 and exists (select from carts where id = checkout_sessions.cart_id and customer_id is not null))),
     payment as (select id, charge_id from payment_intents
       where id = any ($5) or charge_id = any ($5) or subject_id in (select id from session))
   select 'cart' as kind, id from cart
   union select 'cart', cart_id from checkout_sessions where id in (select id from session)
   union select case when status in ('completed', 'canceled', 'expired') then 'session' else 'open_session' end, id from session
   union select 'payment', id from payment
   union select 'other', id from after_sales where order_id = any ($4)
   union select 'other', id from cancellations where order_id = any ($4)
   union select 'other', id from fulfilment_intents where order_id = any ($4)
   union select 'other', id from invoices where order_id = any ($4)`,
)

/** Shorter words would match unrelated texts. */
const WORD_LENGTH_MIN = 6

/**
 * Finds the ids and words that identify a person. An address finds everything with it. The id of an account finds what belongs to
 * the account, and what guests left with its address, unless another account has the address now.
 *
 * Refusals: `not_found` for an unknown account.
 */
export async function findPerson(reader: Reader, name: PersonName): Promise<Person> {
  const asked = 'email' in name ? [comparableEmail(name.email)] : []
  const accounts = await reader.rows(findAccounts, ['customerId' in name ? [name.customerId] : [], asked])
  if (accounts.length === 0 && 'customerId' in name) refuse('not_found')
  const customers = accounts.map(({ id }) => id)
  const known = [...new Set([...asked, ...accounts.map(({ email }) => comparableEmail(email))])]
  const owners = 'email' in name ? [] : await reader.rows(findOwners, [known, customers])
  const emails = known.filter((email) => owners.every(({ email_key }) => email_key !== email))
  const names = accounts.flatMap((account) => [account.name, account.phone].filter((name) => name !== null))
  return personOf(reader, { customers, emails, names, orderIds: [], isAccount: 'customerId' in name })
}

/** The ids and words of some orders, without the accounts of their customers. */
export function personOfOrders(reader: Reader, orderIds: readonly string[]): Promise<Person> {
  return personOf(reader, { customers: [], emails: [], names: [], orderIds, isAccount: false })
}

async function personOf(
  reader: Reader,
  {
    customers,
    emails,
    names,
    orderIds,
    isAccount,
  }: Pick<Person, 'customers' | 'emails' | 'names'> & {
    readonly orderIds: readonly string[]
    /** Whether the emails find only what guests left, not what belongs to other accounts. */
    readonly isAccount: boolean
  },
): Promise<Person> {
  const orders = await reader.rows(findOrders, [orderIds, customers, emails, isAccount])
  const ids = orders.map(({ id }) => id)
  const idsOf = (column: 'charge_id' | 'cart_id') => orders.map((order) => order[column]).filter((id) => id !== null)
  const charges = idsOf('charge_id')
  const rest = await reader.rows(findRest, [idsOf('cart_id'), customers, emails, ids, charges, isAccount])
  const of = (...kinds: string[]) => rest.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)
  const wordsOf = (texts: readonly string[]) =>
    [...new Set(texts.map((text) => text.toLowerCase()))].filter((text) => text.length >= WORD_LENGTH_MIN)
  return {
    customers,
    emails,
    orders: ids,
    carts: of('cart'),
    payments: of('payment'),
    subjects: [...customers, ...ids, ...rest.map(({ id }) => id)],
    // A number that is shared would find the mails of the other order as well.
    words: wordsOf([...emails, ...orders.filter((order) => !order.is_number_shared).map(({ number }) => number)]),
    names: wordsOf([...names, ...orders.flatMap((order) => order.names)]),
    open: [...orders.filter(({ is_open }) => is_open).map(({ number }) => number), ...of('open_session')],
  }
}

/** The parameters of `PERSON`. */
export function personValues(person: Person): readonly unknown[] {
  const { customers, emails, orders, carts, payments, subjects, words, names } = person
  return [customers, emails, orders, carts, payments, subjects, words, names]
}

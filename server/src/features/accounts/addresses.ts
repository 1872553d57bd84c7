import type { Address } from '@vitrine/contract'
import type { IdSource } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** The maximum number of saved addresses per customer. */
const ADDRESSES_MAX = 20

/** An address that a customer has saved. */
export interface CustomerAddress {
  readonly id: string
  readonly address: Address
  /** One of a customer's addresses is the default. */
  readonly is_default: boolean
}

const list = statement<CustomerAddress>(
  'accounts.addresses',
  'select id, address, is_default from customer_addresses where customer_id = $1 order by is_default desc, id',
)
const insert = statement(
  'accounts.insert_address',
  `insert into customer_addresses (id, customer_id, address, is_default, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $5)`,
)
const update = statement(
  'accounts.update_address',
  `update customer_addresses set address = $3, is_default = $4, updated_at = $5 where customer_id = $1 and id = $2`,
)
const noDefault = statement(
  'accounts.clear_default_address',
  'update customer_addresses set is_default = false where customer_id = $1 and is_default',
)
const remove = statement('accounts.delete_address', 'delete from customer_addresses where customer_id = $1 and id = $2')
const nextDefault = statement(
  'accounts.next_default_address',
  `update customer_addresses set is_default = true
   where id = (select id from customer_addresses where customer_id = $1 order by id limit 1)
     and not exists (select from customer_addresses where customer_id = $1 and is_default)`,
)
// Changes of two tabs run one after the other: each depends on which address is the default.
const lockOwner = statement('accounts.lock_address_owner', 'select 1 from customers where id = $1 for update')

/** The saved addresses of a customer, the default first. */
export function listAddresses(reader: Reader, customerId: string): Promise<CustomerAddress[]> {
  return reader.rows(list, [customerId])
}

/** Refuses `quota_exceeded`. Locks the customer, so that concurrent requests cannot exceed the limit. */
export async function refuseTooManyAddresses(tx: Transaction, customerId: string): Promise<void> {
  tx.write(lockOwner, [customerId])
  if ((await listAddresses(tx, customerId)).length >= ADDRESSES_MAX) refuse('quota_exceeded')
}

/** Adds an address. The first one becomes the default. */
export function insertAddress(
  tx: Transaction,
  customerId: string,
  { address, isDefault }: { readonly address: Address; readonly isDefault: boolean },
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): void {
  if (isDefault) tx.write(noDefault, [customerId])
  tx.write(insert, [ids.next('adr'), customerId, JSON.stringify(address), isDefault, now])
  tx.write(nextDefault, [customerId])
}

/** Changes an address. Refuses `not_found` for an address of another customer. */
export async function saveAddress(
  tx: Transaction,
  customerId: string,
  { id, address, isDefault }: { readonly id: string; readonly address: Address; readonly isDefault: boolean },
  now: Date,
): Promise<void> {
  tx.write(lockOwner, [customerId])
  if (isDefault) tx.write(noDefault, [customerId])
  const saved = await tx.change(update, [customerId, id, JSON.stringify(address), isDefault, now])
  if (saved === 0) refuse('not_found')
  tx.write(nextDefault, [customerId])
}

/** Deletes an address. If it was the default, another one becomes the default. */
export function deleteAddress(tx: Transaction, customerId: string, id: string): void {
  tx.write(lockOwner, [customerId])
  tx.write(remove, [customerId, id])
  tx.write(nextDefault, [customerId])
}

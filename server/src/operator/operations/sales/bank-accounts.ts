import type { OperatorBankAccount, operatorOperations } from '@vitrine/contract/operator'
import { findStore } from '../../../features/catalog/index.ts'
import {
  type AccountDetails,
  findNamedAccount,
  listNamedAccounts,
  type NamedAccount,
  nameAccount,
} from '../../../features/payments/index.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { OperatorHandler } from '../../door/handler.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/bank-accounts */
const listBankAccounts: OperatorHandler<Rows['listBankAccounts']> = async ({ query }, { reader }) => {
  const accounts = await listNamedAccounts(reader, query.environment ?? 'live')
  return { items: accounts.map(presentAccount) }
}

/** PUT /operator/v1/bank-accounts/{currency} */
const saveBankAccount: OperatorHandler<Rows['saveBankAccount']> = async ({ params, body }, { tx, now, audit }) => {
  const { currency } = params
  const { environment, storeSlug } = body
  const storeId = storeSlug === undefined ? null : ((await findStore(tx, storeSlug)) ?? refuse('not_found')).id
  const scope = { environment, storeId, currency }
  const before = await findNamedAccount(tx, scope, now)
  const account = body.account ? detailsOf(body.account) : null
  nameAccount(tx, scope, account, now)
  const subject = { type: 'bank_account', id: `${storeId ?? 'marketplace'}/${environment}/${currency}` }
  audit({ subject, before: { account: before }, after: { account } })
  return presentAccount({ ...scope, account, namedAt: now })
}

export const bankAccountOperations = { listBankAccounts, saveBankAccount }

function detailsOf({ holder, iban, bic, details }: NonNullable<OperatorBankAccount['account']>): AccountDetails {
  return {
    holder: holder.trim(),
    iban: iban?.replaceAll(/\s/g, '').toUpperCase() || null,
    bic: bic ?? null,
    details: details?.trim() || null,
  }
}

function presentAccount({ environment, storeId, currency, account, namedAt }: NamedAccount): OperatorBankAccount {
  return {
    environment,
    ...(storeId !== null && { storeId }),
    currency,
    ...(account && {
      account: {
        holder: account.holder,
        ...(account.iban !== null && { iban: account.iban }),
        ...(account.bic !== null && { bic: account.bic }),
        ...(account.details !== null && { details: account.details }),
      },
    }),
    namedAt: namedAt.toISOString(),
  }
}

import { type Static, Type } from 'typebox'
import { CurrencyCode, Environment, id, Slug, Timestamp } from '../../../schemas/common.ts'
import { closed, listOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Payments'
const auth = { kind: 'operator', area: 'finance' } as const

const account = {
  holder: text(70, 'The account holder.', 'Linen & Loom GmbH', { minLength: 1 }),
  iban: Type.Optional(text(42, 'The IBAN, with or without spaces.', 'DE02 1203 0000 0000 2020 51')),
  bic: Type.Optional(
    text(11, 'The BIC of the bank.', 'BYLADEM1001', { pattern: '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$' }),
  ),
  details: Type.Optional(text(500, 'Other bank details, for accounts without an IBAN.', 'Routing number 021000021')),
}

export const OperatorBankAccount = operatorNamed(
  'OperatorBankAccount',
  closed('An account for bank transfers, as set at a point in time.', {
    environment: Environment,
    storeId: Type.Optional(id('store', 'The store; absent: the marketplace, for stores without an account.')),
    currency: CurrencyCode,
    account: Type.Optional(closed('The account; absent: it was removed.', account)),
    namedAt: Timestamp,
  }),
)
export type OperatorBankAccount = Static<typeof OperatorBankAccount>

export const bankAccountRows = {
  listBankAccounts: operatorOperation({
    method: 'GET',
    path: '/operator/v1/bank-accounts',
    tag,
    summary: 'List the accounts for bank transfers.',
    description:
      'Including earlier and removed accounts, newest first. The newest one of a store and currency is used.',
    auth,
    query: closed('The environment.', { environment: Type.Optional(Environment) }),
    data: closed('The accounts.', { items: listOf(OperatorBankAccount, 500, 'The accounts, newest first.') }),
    refusals: [],
  }),
  saveBankAccount: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/bank-accounts/{currency}',
    tag,
    summary: 'Save the account for bank transfers of a store and currency.',
    description: 'Shoppers who have already ordered keep the account they were given.',
    auth,
    params: closed('The currency.', { currency: CurrencyCode }),
    body: closed('The account.', {
      environment: Environment,
      storeSlug: Type.Optional(Slug),
      account: Type.Optional(closed('The account; absent: remove it.', account)),
    }),
    data: OperatorBankAccount,
    freshProof: 'always',
    refusals: ['not_found'],
  }),
}

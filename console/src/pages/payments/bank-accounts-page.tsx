import type { OperatorBankAccount } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, TextField } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { DateTime } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { askThen } from '../../ui/question.tsx'

const scopeOf = ({ storeId, currency }: OperatorBankAccount) => `${storeId ?? ''} ${currency}`

const REMOVE = {
  title: 'Remove this account?',
  consequences: 'New orders cannot be paid to it. Shoppers who have ordered can still pay to it.',
  action: 'Remove',
}

/** Accounts for bank transfers, with the earlier ones. */
export function BankAccountsPage() {
  const environment = useEnvironment()
  const { data, error, reload } = useCall(`bank-accounts ${environment}`, () =>
    call('listBankAccounts', { query: { environment } }),
  )
  const stores = useCall('stores', () => call('listStores', { query: { limit: 100 } })).data?.items ?? []
  const [adding, setAdding] = useState(false)
  const { actionError, busy, run } = useAction(reload)
  const items = data?.items ?? []
  const newest = items.filter((each, index) => items.findIndex((other) => scopeOf(other) === scopeOf(each)) === index)
  const current = newest.filter(({ account }) => account !== undefined)
  const storeOf = ({ storeId }: OperatorBankAccount) =>
    storeId === undefined ? null : (stores.find(({ id }) => id === storeId) ?? null)
  const columns = columnsOf((item) => storeOf(item)?.name ?? item.storeId ?? 'Marketplace')
  const remove = (item: OperatorBankAccount) => {
    const store = storeOf(item)
    const body = { environment, ...(store && { storeSlug: store.slug }) }
    return call('saveBankAccount', { params: { currency: item.currency }, body })
  }
  const actions: Column<OperatorBankAccount> = {
    title: 'Actions',
    buttons: true,
    show: (item) => (
      <button
        type="button"
        class="danger"
        disabled={busy || (item.storeId !== undefined && storeOf(item) === null)}
        onClick={() => askThen(REMOVE, () => run(() => remove(item)))}
      >
        Remove
      </button>
    ),
  }
  const add = (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      Set account
    </button>
  )
  return (
    <Page
      title="Bank accounts"
      lead="Where shoppers transfer money to, by store and currency. Without an account, bank transfer is not offered."
      actions={add}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {data && current.length === 0 && (
        <Empty title="No accounts yet" hint="Set the account of a store, or of the marketplace for all stores.">
          {add}
        </Empty>
      )}
      {current.length > 0 && (
        <Table caption="Bank accounts" items={current} columns={[...columns, actions]} keyOf={scopeOf} />
      )}
      {items.length > 0 && (
        <Section title="History">
          <Table
            caption="Changes"
            items={items}
            columns={columns}
            keyOf={(item) => `${scopeOf(item)} ${item.namedAt}`}
          />
        </Section>
      )}
      {adding && (
        <AccountDialog
          environment={environment}
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false)
            reload()
          }}
        />
      )}
    </Page>
  )
}

function columnsOf(nameOf: (item: OperatorBankAccount) => string): readonly Column<OperatorBankAccount>[] {
  return [
    { title: 'Store', show: nameOf },
    { title: 'Currency', show: ({ currency }) => currency },
    { title: 'Account holder', show: ({ account }) => account?.holder ?? 'Removed' },
    {
      title: 'Account',
      wide: true,
      show: ({ account }) => [account?.iban, account?.bic, account?.details].filter(Boolean).join(', '),
    },
    { title: 'Set', show: ({ namedAt }) => <DateTime at={namedAt} /> },
  ]
}

interface AccountDialogProps {
  readonly environment: 'live' | 'test'
  readonly onClose: () => void
  readonly onDone: () => void
}

function AccountDialog({ environment, onClose, onDone }: AccountDialogProps) {
  return (
    <Dialog title="Set account" onClose={onClose}>
      <Form
        submit="Save"
        cancel={onClose}
        onSubmit={async (fields) => {
          const { currency, ...body } = readAccount(fields)
          await call('saveBankAccount', { params: { currency }, body: { environment, ...body } })
          onDone()
        }}
      >
        <StoreSelect value="" none="Marketplace: all stores without their own" />
        <Field name="currency" label="Currency" value="EUR" required />
        <Field name="holder" label="Account holder" pointer="/account/holder" required />
        <Field name="iban" label="IBAN" pointer="/account/iban" />
        <Field name="bic" label="BIC" pointer="/account/bic" hint="Optional." />
        <TextField
          name="details"
          label="Other bank details"
          pointer="/account/details"
          hint="For accounts without an IBAN, such as routing and account number."
          rows={3}
        />
      </Form>
    </Dialog>
  )
}

function readAccount(fields: FormData) {
  const field = (name: string) => String(fields.get(name) ?? '').trim()
  const storeSlug = field('storeSlug')
  const [iban, bic, details] = [field('iban'), field('bic').toUpperCase(), field('details')]
  return {
    currency: field('currency').toUpperCase(),
    ...(storeSlug && { storeSlug }),
    account: { holder: field('holder'), ...(iban && { iban }), ...(bic && { bic }), ...(details && { details }) },
  }
}

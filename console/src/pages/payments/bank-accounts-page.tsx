import type { OperatorBankAccount } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { useEnvironment } from '../../environment.ts'
import { translate } from '../../language.ts'
import { storeById } from '../../stores.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Field, Form, TextField } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { DateTime } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { DangerButton } from '../../ui/question.tsx'

const scopeOf = ({ storeId, currency }: OperatorBankAccount) => `${storeId ?? ''} ${currency}`

const REMOVE = {
  title: translate('Remove this account?'),
  consequences: translate('New orders cannot be paid to it. Shoppers who have ordered can still pay to it.'),
  action: translate('Remove'),
}

const NONE = {
  title: translate('No accounts yet'),
  hint: translate('Set the account of a store, or of the marketplace for all stores.'),
}

/** The accounts for bank transfers, with their history. */
export function BankAccountsPage() {
  const environment = useEnvironment()
  const { data, error, reload } = useCall(`bank-accounts ${environment}`, () =>
    call('listBankAccounts', { query: { environment } }),
  )
  const [adding, setAdding] = useState(false)
  const { actionError, busy, run } = useAction(reload)
  const items = data?.items ?? []
  const newest = items.filter((each, index) => items.findIndex((other) => scopeOf(other) === scopeOf(each)) === index)
  const current = newest.filter(({ account }) => account !== undefined)
  const storeOf = ({ storeId }: OperatorBankAccount) => (storeId === undefined ? null : (storeById(storeId) ?? null))
  const columns = columnsOf((item) => storeOf(item)?.name ?? item.storeId ?? translate('Marketplace'))
  const remove = (item: OperatorBankAccount) => {
    const store = storeOf(item)
    const body = { environment, ...(store && { storeSlug: store.slug }) }
    return call('saveBankAccount', { params: { currency: item.currency }, body })
  }
  const actions: Column<OperatorBankAccount> = {
    title: translate('Actions'),
    buttons: true,
    show: (item) => (
      <Allowed by="saveBankAccount">
        <DangerButton
          disabled={busy || (item.storeId !== undefined && storeOf(item) === null)}
          question={REMOVE}
          onYes={() => run(() => remove(item))}
        />
      </Allowed>
    ),
  }
  const add = (
    <Allowed by="saveBankAccount">
      <button type="button" class="primary" onClick={() => setAdding(true)}>
        {translate('Set account')}
      </button>
    </Allowed>
  )
  return (
    <Page
      title={translate('Bank accounts')}
      lead={translate(
        'The accounts that shoppers transfer money to, by store and currency. Without an account, bank transfer is not offered.',
      )}
      actions={add}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {data && current.length === 0 && <Empty {...NONE}>{add}</Empty>}
      {current.length > 0 && (
        <Table caption={translate('Bank accounts')} items={current} columns={[...columns, actions]} keyOf={scopeOf} />
      )}
      {items.length > 0 && (
        <Section title={translate('History')}>
          <Table
            caption={translate('Changes')}
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
    { title: translate('Store'), show: nameOf },
    { title: translate('Currency'), show: ({ currency }) => currency },
    { title: translate('Account holder'), show: ({ account }) => account?.holder ?? translate('Removed') },
    {
      title: translate('Account'),
      wide: true,
      show: ({ account }) => [account?.iban, account?.bic, account?.details].filter(Boolean).join(', '),
    },
    { title: translate('Set'), show: ({ namedAt }) => <DateTime at={namedAt} /> },
  ]
}

interface AccountDialogProps {
  readonly environment: 'live' | 'test'
  readonly onClose: () => void
  readonly onDone: () => void
}

function AccountDialog({ environment, onClose, onDone }: AccountDialogProps) {
  return (
    <Dialog title={translate('Set account')} onClose={onClose}>
      <Form
        submit={translate('Save')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const { currency, ...body } = readAccount(fields)
          await call('saveBankAccount', { params: { currency }, body: { environment, ...body } })
          onDone()
        }}
      >
        <StoreSelect value="" none={translate('Marketplace: all stores without their own')} />
        <Field name="currency" label={translate('Currency')} value="EUR" required />
        <Field name="holder" label={translate('Account holder')} pointer="/account/holder" required />
        <Field name="iban" label={translate('IBAN')} pointer="/account/iban" />
        <Field name="bic" label={translate('BIC')} pointer="/account/bic" hint={translate('Optional.')} />
        <TextField
          name="details"
          label={translate('Other bank details')}
          pointer="/account/details"
          hint={translate('For accounts without an IBAN, such as routing and account number.')}
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

import type { OperatorAccount } from '@vitrine/contract/operator'
import { useContext, useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Access } from '../../page.ts'
import { Link } from '../../router.tsx'
import { storeName } from '../../stores.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Form, Select } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { readWholeNumber } from '../../ui/form/whole-number.ts'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { DangerButton } from '../../ui/question.tsx'
import { SignInDialog } from './sign-in-dialog.tsx'

type Role = OperatorAccount['role']

/** The roles with their descriptions, from the most access to the least. */
const ROLES: readonly (readonly [role: Role, name: string, what: string])[] = [
  ['owner', translate('Owner'), translate('Everything, operators included')],
  ['manager', translate('Manager'), translate('Everything but operators')],
  ['support', translate('Support'), translate('Orders, returns and customers')],
  ['finance', translate('Finance'), translate('Payments, refunds, invoices and taxes')],
  ['catalog', translate('Catalog'), translate('Products, categories, search and promotions')],
  ['read_only', translate('Read-only'), translate('Sees almost everything, changes nothing')],
]

const nameOf = (role: Role) => ROLES.find(([each]) => each === role)?.[1] ?? role

type Asked = { readonly what: 'role' | 'sign-in'; readonly account: OperatorAccount } | { readonly what: 'add' }

const NONE = {
  title: translate('No operators yet'),
  hint: translate('The command line works without one. Invite an operator who can sign in here.'),
}

/** The columns without actions. */
const FACTS: readonly Column<OperatorAccount>[] = [
  { title: translate('Role'), show: ({ role }) => nameOf(role) },
  { title: translate('Store'), show: ({ store }) => (store ? storeName(store) : translate('All')) },
  { title: translate('Status'), show: ({ status }) => <Status value={status} /> },
  {
    title: translate('Two-step'),
    show: ({ secondFactor }) => (secondFactor === 'on' ? translate('On') : translate('Off')),
  },
  {
    title: translate('Last active'),
    show: ({ lastUsedAt }) => (lastUsedAt ? <DateTime at={lastUsedAt} /> : translate('Not signed in')),
  },
]

/** The operators of the marketplace. */
export function OperatorsPage() {
  const { data, error, reload } = useCall('operators', () => call('listOperators'))
  const me = useContext(Access)?.operator.id
  const [asked, setAsked] = useState<Asked | null>(null)
  const [invited, setInvited] = useState<string | null>(null)
  const { actionError, busy, run } = useAction(reload)
  const done = () => {
    setAsked(null)
    reload()
  }
  const actions = (account: OperatorAccount) =>
    account.id === me ? (
      <Link to="/password">{translate('Your account')}</Link>
    ) : (
      <Actions
        account={account}
        busy={busy}
        run={run}
        changeRole={() => setAsked({ what: 'role', account })}
        changeSignIn={() => setAsked({ what: 'sign-in', account })}
        onInvited={() => setInvited(account.email)}
      />
    )
  const columns: readonly Column<OperatorAccount>[] = [
    {
      title: translate('Email'),
      wide: true,
      show: ({ id, email }) => (id === me ? translate('{email} (you)', { email }) : email),
    },
    ...FACTS,
    { title: translate('Actions'), buttons: true, show: actions },
  ]
  const add = (
    <button type="button" class="primary" onClick={() => setAsked({ what: 'add' })}>
      {translate('Invite operator')}
    </button>
  )
  return (
    <Page
      title={translate('Operators')}
      lead={translate(
        'Operators sign in with their own password, passkey or company account. Their role defines what they may do, and their changes are recorded in the audit log.',
      )}
      actions={add}
    >
      {error || actionError ? <ErrorNotice error={error ?? actionError} retry={reload} /> : null}
      {invited !== null && (
        <Notice kind="good">
          <p>
            {translate('The invitation to {invited} is on its way. Without a mail server it is in the mailbox.', {
              invited,
            })}
          </p>
        </Notice>
      )}
      {data?.items.length === 0 && <Empty {...NONE}>{add}</Empty>}
      {!data && !error && <Loading />}
      {data && <Table caption={translate('Operators')} items={data.items} columns={columns} keyOf={({ id }) => id} />}
      <Requirement />
      {asked?.what === 'add' && (
        <InviteOperator
          onClose={() => setAsked(null)}
          onDone={(email) => {
            setInvited(email)
            done()
          }}
        />
      )}
      {asked?.what === 'sign-in' && (
        <SignInDialog account={asked.account} onClose={() => setAsked(null)} onDone={done} />
      )}
      {asked?.what === 'role' && <ChangeRole account={asked.account} onClose={() => setAsked(null)} onDone={done} />}
    </Page>
  )
}

/** The requirements for operators: a second factor, and a fresh proof of identity for large refunds. */
function Requirement() {
  const { data, error, reload } = useCall('operator-policy', () => call('getOperatorPolicy'))
  const { actionError, busy, run } = useAction(reload)
  if (!data) return error ? <ErrorNotice error={error} retry={reload} /> : null
  const { requiresSecondFactor } = data
  const body = { ...data, requiresSecondFactor: !requiresSecondFactor }
  return (
    <>
      <Section title={translate('Second factor')}>
        {actionError ? <ErrorNotice error={actionError} /> : null}
        <p>
          {requiresSecondFactor
            ? translate('Required. Operators without a second factor have to set one up first.')
            : translate('Not required. Operators can set one up on their account page.')}
        </p>
        <div class="actions">
          <button type="button" disabled={busy} onClick={() => void run(() => call('saveOperatorPolicy', { body }))}>
            {requiresSecondFactor ? translate('Stop requiring it') : translate('Require a second factor')}
          </button>
        </div>
      </Section>
      <Section title={translate('Identity confirmation')}>
        <p>
          {translate(
            'Operators confirm their identity again before they create keys, change operators or bank accounts, or refund a large amount. A confirmation is valid for ten minutes.',
          )}
        </p>
        <Form
          submit={translate('Save')}
          onSubmit={async (fields) => {
            const proofForRefundsOver = readWholeNumber(fields, 'proofForRefundsOver') ?? 0
            await call('saveOperatorPolicy', { body: { requiresSecondFactor, proofForRefundsOver } })
            reload()
          }}
        >
          <Field
            name="proofForRefundsOver"
            label={translate('Ask before refunds above')}
            hint={translate('In the currency of the order. 0 asks before each refund.')}
            inputMode="numeric"
            value={String(data.proofForRefundsOver)}
            required
          />
        </Form>
      </Section>
    </>
  )
}

interface ActionsProps {
  readonly account: OperatorAccount
  readonly busy: boolean
  readonly run: (work: () => Promise<unknown>) => Promise<void>
  readonly changeRole: () => void
  readonly changeSignIn: () => void
  readonly onInvited: () => void
}

function Actions({ account, busy, run, changeRole, changeSignIn, onInvited }: ActionsProps) {
  const { id, email, status, secondFactor, usesProvider, lastUsedAt } = account
  const params = { operatorId: id }
  const set = (to: 'active' | 'disabled') => run(() => call('updateOperator', { params, body: { status: to } }))
  if (status === 'disabled') {
    return (
      <button type="button" disabled={busy} onClick={() => void set('active')}>
        {translate('Enable')}
      </button>
    )
  }
  const question = {
    title: translate('Disable {email}?', { email }),
    consequences: translate(
      'They are signed out everywhere at once and cannot sign in. Apps that they approved lose their access. You can enable them again.',
    ),
    action: translate('Disable'),
  }
  return (
    <div class="actions">
      {status === 'invited' && (
        <button
          type="button"
          disabled={busy}
          onClick={() => void run(() => call('inviteOperatorAgain', { params }).then(onInvited))}
        >
          {translate('Invite again')}
        </button>
      )}
      <button type="button" disabled={busy} onClick={changeRole}>
        {translate('Change role or store')}
      </button>
      {(secondFactor === 'on' || usesProvider || lastUsedAt) && (
        <button type="button" disabled={busy} onClick={changeSignIn}>
          {translate('Sign-in')}
        </button>
      )}
      <DangerButton disabled={busy} question={question} onYes={() => set('disabled')} />
    </div>
  )
}

/** The role and the store of an operator. */
function ScopeFields({ chosen, store }: { readonly chosen: Role; readonly store?: string | undefined }) {
  return (
    <>
      <Select
        name="role"
        label={translate('Role')}
        value={chosen}
        options={ROLES.map(([each, name, what]) => [each, `${name}: ${what}`] as const)}
      />
      <StoreSelect
        name="store"
        none={translate('All stores')}
        hint={translate('Operators of one store see its orders, products and settings, and nothing of the others.')}
        value={store ?? ''}
      />
    </>
  )
}

function scopeIn(fields: FormData): { readonly role: Role; readonly store: string | null } {
  return { role: fields.get('role') as Role, store: String(fields.get('store')) || null }
}

interface DialogProps {
  readonly onClose: () => void
  readonly onDone: () => void
}

function InviteOperator({
  onClose,
  onDone,
}: {
  readonly onClose: () => void
  readonly onDone: (email: string) => void
}) {
  return (
    <Dialog title={translate('Invite operator')} onClose={onClose}>
      <Form
        submit={translate('Send invitation')}
        cancel={onClose}
        onSubmit={async (fields) => {
          const email = String(fields.get('email')).trim()
          await call('addOperator', { body: { email, ...scopeIn(fields) } })
          onDone(email)
        }}
      >
        <Field
          name="email"
          type="email"
          label={translate('Email')}
          hint={translate('They get a link to choose a password. It is valid for seven days.')}
          autocomplete="off"
          required
        />
        <ScopeFields chosen="support" />
      </Form>
    </Dialog>
  )
}

function ChangeRole({ account, onClose, onDone }: DialogProps & { readonly account: OperatorAccount }) {
  return (
    <Dialog title={translate('Role and store of {email}', { email: account.email })} onClose={onClose}>
      <Form
        submit={translate('Save')}
        cancel={onClose}
        onSubmit={async (fields) => {
          await call('updateOperator', { params: { operatorId: account.id }, body: scopeIn(fields) })
          onDone()
        }}
      >
        <p>{translate('The change takes effect immediately, also in their open sessions.')}</p>
        <ScopeFields chosen={account.role} store={account.store} />
      </Form>
    </Dialog>
  )
}

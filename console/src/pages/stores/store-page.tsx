import type { OperatorStore } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { Check, Field, Form, Select } from '../../ui/form/form.tsx'
import { Count, Status, When } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { ProfileFields, profileIn } from './profile-fields.tsx'
import { Staff } from './staff.tsx'

const back = { to: '/stores', title: 'Stores' }

/** A store: what it is, how it is entered, who works for it. */
export function StorePage({ params }: PageProps) {
  const storeSlug = params.storeSlug ?? ''
  const { answer, error, reload } = useCall(storeSlug, () => call('getStore', { params: { storeSlug } }))
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading …</p>
  return (
    <Page
      title={answer.name}
      back={back}
      actions={
        <>
          <a class="button" href={`/operator/v1/stores/${storeSlug}/catalogue`} download={`${storeSlug}.jsonl`}>
            Export its catalogue
          </a>
          <Link to={`/audit-log?subject=${answer.id}`}>Who changed it</Link>
        </>
      }
    >
      <Section title="Standing">
        <Facts
          facts={[
            ['Status', <Status key="s" value={answer.status} />],
            ['Slug', <code key="g">{answer.slug}</code>],
            ['Products', <Count key="p" value={answer.productCount} />],
            ['Entered by', answer.accessMode],
            ['Since', <When key="w" at={answer.createdAt} />],
          ]}
        />
      </Section>
      <Section title="What it is">
        <Profile store={answer} onChanged={reload} />
      </Section>
      <Section title="How it is entered">
        <Access store={answer} onChanged={reload} />
      </Section>
      <Staff storeSlug={storeSlug} />
    </Page>
  )
}

interface PartProps {
  readonly store: OperatorStore
  readonly onChanged: () => void
}

function Profile({ store, onChanged }: PartProps) {
  return (
    <Form
      key={store.version}
      submit="Save"
      onSubmit={async (fields) => {
        const status = fields.get('status') === 'suspended' ? 'suspended' : 'active'
        const body = { ...profileIn(fields), status, expectedVersion: store.version } as const
        await call('updateStore', { params: { storeSlug: store.slug }, body })
        onChanged()
      }}
    >
      <ProfileFields store={store} />
      <Select
        name="status"
        label="Status"
        hint="A suspended store and its products are shown nowhere, and nothing of it can be bought."
        value={store.status}
        options={[
          ['active', 'Active'],
          ['suspended', 'Suspended'],
        ]}
      />
    </Form>
  )
}

function Access({ store, onChanged }: PartProps) {
  return (
    <Form
      key={store.version}
      submit="Set it"
      onSubmit={async (fields) => {
        const mode = (['open', 'password', 'challenge'] as const).find((each) => each === fields.get('mode')) ?? 'open'
        const password = String(fields.get('password'))
        const requireGrant = (['register', 'password_reset'] as const).filter((purpose) => fields.has(purpose))
        await call('setStoreAccess', {
          params: { storeSlug: store.slug },
          body: { mode, requireGrant, ...(password && { password }) },
        })
        onChanged()
      }}
    >
      <p class="small">Whoever has been let in before has to come in anew once this is set.</p>
      <Select
        name="mode"
        label="Door"
        value={store.accessMode}
        options={[
          ['open', 'Open to everybody'],
          ['password', 'By its password'],
          ['challenge', 'By a task that keeps machines out'],
        ]}
      />
      <Field
        name="password"
        label="Password"
        type="password"
        autocomplete="new-password"
        hint={store.hasPassword ? 'Empty: it stays as it is.' : 'It has none yet. 8 to 128 characters.'}
      />
      <fieldset>
        <legend>The task that keeps machines out is also set to whoever</legend>
        <Check name="register" label="registers" checked={store.requireGrant.includes('register')} />
        <Check
          name="password_reset"
          label="asks for a new password"
          checked={store.requireGrant.includes('password_reset')}
        />
      </fieldset>
    </Form>
  )
}

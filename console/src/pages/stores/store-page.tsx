import type { OperatorStore } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { Check, Field, Form, Select } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { SellerDetails } from '../site/seller-details.tsx'
import { Branding } from './branding.tsx'
import { ProfileFields, readProfile } from './profile-fields.tsx'
import { Staff } from './staff.tsx'

const back = { to: '/stores', title: 'Stores' }

/** One store: details, access and staff. */
export function StorePage({ params }: PageProps) {
  const storeSlug = params.storeSlug ?? ''
  const { data, error, reload } = useCall(storeSlug, () => call('getStore', { params: { storeSlug } }))
  if (!data) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  return (
    <Page
      title={data.name}
      back={back}
      actions={
        <>
          <a class="button" href={`/operator/v1/stores/${storeSlug}/catalogue`} download={`${storeSlug}.jsonl`}>
            Export catalog
          </a>
          <Link to={`/audit-log?subject=${data.id}`}>Audit log</Link>
        </>
      }
    >
      <Section title="Overview">
        <DescriptionList
          items={[
            ['Status', <Status key="s" value={data.status} />],
            ['Slug', <code key="g">{data.slug}</code>],
            ['Products', <Count key="p" value={data.productCount} />],
            ['Access', sentenceCase(data.accessMode)],
            ['Created', <DateTime key="w" at={data.createdAt} />],
          ]}
        />
      </Section>
      <Section title="Details">
        <Profile store={data} onChanged={reload} />
      </Section>
      <Branding store={data} onChanged={reload} />
      <Section title="Access">
        <Access store={data} onChanged={reload} />
      </Section>
      <SellerDetails storeSlug={storeSlug} />
      <Staff storeSlug={storeSlug} />
    </Page>
  )
}

interface SectionProps {
  readonly store: OperatorStore
  readonly onChanged: () => void
}

function Profile({ store, onChanged }: SectionProps) {
  return (
    <Form
      key={store.version}
      submit="Save"
      onSubmit={async (fields) => {
        const status = fields.get('status') === 'suspended' ? 'suspended' : 'active'
        const body = { ...readProfile(fields), status, expectedVersion: store.version } as const
        await call('updateStore', { params: { storeSlug: store.slug }, body })
        onChanged()
      }}
    >
      <ProfileFields store={store} />
      <Select
        name="status"
        label="Status"
        hint="A suspended store and its products are hidden and cannot be bought."
        value={store.status}
        options={[
          ['active', 'Active'],
          ['suspended', 'Suspended'],
        ]}
      />
    </Form>
  )
}

function Access({ store, onChanged }: SectionProps) {
  return (
    <Form
      key={store.version}
      submit="Save"
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
      <p class="small">Saving this signs out everyone who currently has access.</p>
      <Select
        name="mode"
        label="Access mode"
        value={store.accessMode}
        options={[
          ['open', 'Open to everyone'],
          ['password', 'Password protected'],
          ['challenge', 'Bot protection challenge'],
        ]}
      />
      <Field
        name="password"
        label="Password"
        type="password"
        autocomplete="new-password"
        hint={store.hasPassword ? 'Leave empty to keep the current password.' : 'No password yet. 8 to 128 characters.'}
      />
      <fieldset>
        <legend>Also require the bot protection challenge for</legend>
        <Check name="register" label="Registration" checked={store.requireGrant.includes('register')} />
        <Check name="password_reset" label="Password reset" checked={store.requireGrant.includes('password_reset')} />
      </fieldset>
    </Form>
  )
}

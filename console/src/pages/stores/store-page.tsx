import type { OperatorStore } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { type PageProps, useOwnStore } from '../../page.ts'
import { keepStore } from '../../stores.ts'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Check, Field, Form, Select } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Count, DateTime, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { LoadingPage } from '../../ui/loading.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { SellerDetails } from '../site/seller-details.tsx'
import { Branding } from './branding.tsx'
import { ProfileFields, readProfile } from './profile-fields.tsx'
import { Staff } from './staff.tsx'

const back = { to: '/stores', title: translate('Stores') }

/** One store: details, access and staff. */
export function StorePage({ params }: PageProps) {
  const storeSlug = params.storeSlug ?? ''
  const { data, error, reload } = useCall(storeSlug, () => call('getStore', { params: { storeSlug } }))
  if (!data) return <LoadingPage error={error} retry={reload} />
  return (
    <Page
      title={data.name}
      back={back}
      actions={
        <>
          <Allowed by="exportCatalog">
            <a class="button" href={`/operator/v1/stores/${storeSlug}/catalogue`} download={`${storeSlug}.jsonl`}>
              {translate('Export catalog')}
            </a>
          </Allowed>
          <AuditLink subject={data.id} />
        </>
      }
    >
      <Section title={translate('Overview')}>
        <DescriptionList
          items={[
            [translate('Status'), <Status key="s" value={data.status} />],
            [translate('Slug'), <code key="g">{data.slug}</code>],
            [translate('Products'), <Count key="p" value={data.productCount} />],
            [translate('Access'), sentenceCase(data.accessMode)],
            [translate('Created'), <DateTime key="w" at={data.createdAt} />],
          ]}
        />
      </Section>
      <Section title={translate('Details')}>
        <Profile store={data} onChanged={reload} />
      </Section>
      <Allowed by="getStoreDecorationDraft">
        <Branding store={data} onChanged={reload} />
      </Allowed>
      <Section title={translate('Access')}>
        <Access store={data} onChanged={reload} />
      </Section>
      <Allowed by="getSellerRecord">
        <SellerDetails storeSlug={storeSlug} />
      </Allowed>
      <Allowed by="listStaff">
        <Staff storeSlug={storeSlug} />
      </Allowed>
    </Page>
  )
}

interface SectionProps {
  readonly store: OperatorStore
  readonly onChanged: () => void
}

function Profile({ store, onChanged }: SectionProps) {
  const { names, descriptions, locales, currencies, countries, pricesIncludeTax, contact, status } = store
  // Only the marketplace decides whether a store sells.
  const maySuspend = useOwnStore() === undefined
  return (
    <Form
      // Not keyed by version: saving another section of the page keeps unsaved edits here.
      key={JSON.stringify([names, descriptions, locales, currencies, countries, pricesIncludeTax, contact, status])}
      submit={translate('Save')}
      by="updateStore"
      onSubmit={async (fields) => {
        const status = fields.get('status') === 'suspended' ? 'suspended' : 'active'
        const change = maySuspend ? ({ status } as const) : {}
        const body = { ...readProfile(fields, null), ...change, expectedVersion: store.version }
        keepStore(await call('updateStore', { params: { storeSlug: store.slug }, body }))
        onChanged()
      }}
    >
      <ProfileFields store={store} />
      {maySuspend && (
        <Select
          name="status"
          label={translate('Status')}
          hint={translate('A suspended store and its products are hidden and cannot be bought.')}
          value={store.status}
          options={[
            ['active', translate('Active')],
            ['suspended', translate('Suspended')],
          ]}
        />
      )}
    </Form>
  )
}

function Access({ store, onChanged }: SectionProps) {
  const [saved, setSaved] = useState(0)
  return (
    <Form
      key={JSON.stringify([store.accessMode, store.hasPassword, store.requireGrant])}
      submit={translate('Save')}
      by="setStoreAccess"
      onSubmit={async (fields) => {
        const mode = (['open', 'password', 'challenge'] as const).find((each) => each === fields.get('mode')) ?? 'open'
        const password = String(fields.get('password'))
        const requireGrant = (['register', 'password_reset'] as const).filter((purpose) => fields.has(purpose))
        await call('setStoreAccess', {
          params: { storeSlug: store.slug },
          body: { mode, requireGrant, ...(password && { password }) },
        })
        setSaved((before) => before + 1)
        onChanged()
      }}
    >
      <p class="small">{translate('Saving this signs out everyone who currently has access.')}</p>
      <Select
        name="mode"
        label={translate('Access mode')}
        value={store.accessMode}
        options={[
          ['open', translate('Open to everyone')],
          ['password', translate('Password protected')],
          ['challenge', translate('Bot protection challenge')],
        ]}
      />
      <Field
        // A password that is saved is not sent again.
        key={saved}
        name="password"
        label={translate('Password')}
        type="password"
        autocomplete="new-password"
        hint={
          store.hasPassword
            ? translate('Leave empty to keep the current password.')
            : translate('No password yet. 8 to 128 characters.')
        }
      />
      <fieldset>
        <legend>{translate('Also require the bot protection challenge for')}</legend>
        <Check name="register" label={translate('Registration')} checked={store.requireGrant.includes('register')} />
        <Check
          name="password_reset"
          label={translate('Password reset')}
          checked={store.requireGrant.includes('password_reset')}
        />
      </fieldset>
    </Form>
  )
}

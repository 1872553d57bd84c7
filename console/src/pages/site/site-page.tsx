import type { OperatorSite } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { AuditLink } from '../../ui/audit-link.tsx'
import { CountryPicker, CurrencyPicker, LanguagePicker } from '../../ui/code-picker.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { LogoField } from '../../ui/form/picture-field.tsx'
import { splitList } from '../../ui/format/text.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { Loading } from '../../ui/loading.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { SellerDetails } from './seller-details.tsx'

/** The name, logo and markets of the site. */
export function SitePage() {
  const { data, error, reload } = useCall('site', () => call('getSite'))
  return (
    <Page
      title={translate('Site settings')}
      lead={translate('The name appears on every hosted page and in every email.')}
      actions={<AuditLink subject="site" />}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {data && (
        <Section title={translate('General')}>
          <SiteForm
            key={data.version}
            site={data}
            onSaved={() => {
              toast(translate('Settings saved'))
              reload()
            }}
          />
        </Section>
      )}
      {data ? <SellerDetails /> : !error && <Loading />}
    </Page>
  )
}

function SiteForm({ site, onSaved }: { readonly site: OperatorSite; readonly onSaved: () => void }) {
  const { name, logo, locales = [], currencies = [], countries = [], version } = site
  const [shown, setLogo] = useState(logo ? { url: logo.url, width: logo.width, height: logo.height } : null)
  return (
    <Form
      submit={translate('Save')}
      by="saveSite"
      onSubmit={async (fields) => {
        const offered = Object.fromEntries(
          (['locales', 'currencies', 'countries'] as const).flatMap((each) => {
            const codes = splitList(fields.get(each))
            return codes.length > 0 ? [[each, codes]] : []
          }),
        )
        await call('saveSite', {
          body: {
            name: String(fields.get('name')),
            ...(shown && { logo: { ...shown, alt: logo?.alt ?? String(fields.get('name')) } }),
            ...offered,
            expectedVersion: version,
          },
        })
        onSaved()
      }}
    >
      <Field name="name" label={translate('Name')} value={name} required />
      <LogoField picture={shown} onChange={setLogo} />
      <fieldset>
        <legend>{translate('Markets')}</legend>
        <p class="small">
          {translate('The first of each is the default. Leave empty to use what the open stores offer.')}
        </p>
        <LanguagePicker name="locales" label={translate('Languages')} ids={locales} />
        <CurrencyPicker name="currencies" label={translate('Currencies')} ids={currencies} />
        <CountryPicker name="countries" label={translate('Countries')} ids={countries} />
      </fieldset>
    </Form>
  )
}

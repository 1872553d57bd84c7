import type { OperatorSite } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Link } from '../../router.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { wordsIn } from '../../ui/format/text.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'

/** What the site is called, how it looks in a corner, and whom it serves. */
export function SitePage() {
  const { answer, error, reload } = useCall('site', () => call('getSite'))
  const [saved, setSaved] = useState(false)
  return (
    <Page
      title="Site"
      lead="Its name stands on every page and in every mail."
      actions={<Link to="/audit-log?subject=site">Who changed it</Link>}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {saved && (
        <Notice kind="good">
          <p>Saved. Pages and mails show it from now on.</p>
        </Notice>
      )}
      {answer && (
        <Section title="What it is">
          <Change
            site={answer}
            onSaved={() => {
              setSaved(true)
              reload()
            }}
          />
        </Section>
      )}
    </Page>
  )
}

function Change({ site, onSaved }: { readonly site: OperatorSite; readonly onSaved: () => void }) {
  const { name, logo, locales = [], currencies = [], countries = [], version } = site
  return (
    <Form
      key={version}
      submit="Save"
      onSubmit={async (fields) => {
        const url = String(fields.get('logo')).trim()
        const offered = Object.fromEntries(
          (['locales', 'currencies', 'countries'] as const).flatMap((each) => {
            const words = wordsIn(fields.get(each))
            return words.length > 0 ? [[each, words]] : []
          }),
        )
        const alt = String(fields.get('alt')).trim() || String(fields.get('name'))
        const size = { width: Number(fields.get('width')), height: Number(fields.get('height')) }
        await call('saveSite', {
          body: {
            name: String(fields.get('name')),
            ...(url && { logo: { url, alt, ...size } }),
            ...offered,
            expectedVersion: version,
          },
        })
        onSaved()
      }}
    >
      <Field name="name" label="Name" value={name} required />
      <fieldset>
        <legend>Logo</legend>
        <Field
          name="logo"
          type="url"
          label="Address of the picture"
          hint="Empty: none is shown."
          pointer="/logo/url"
          value={logo?.url ?? ''}
        />
        <Field name="alt" label="What it shows, in words" pointer="/logo/alt" value={logo?.alt ?? ''} />
        <Field name="width" type="number" label="Width in pixels" pointer="/logo/width" value={logo?.width ?? 400} />
        <Field
          name="height"
          type="number"
          label="Height in pixels"
          pointer="/logo/height"
          value={logo?.height ?? 400}
        />
      </fieldset>
      <fieldset>
        <legend>Whom it serves</legend>
        <p class="small">Apart by commas; the first is the default. Empty: what the open stores offer.</p>
        <Field name="locales" label="Languages" placeholder="en, de" value={locales.join(', ')} />
        <Field name="currencies" label="Currencies" placeholder="EUR, CHF" value={currencies.join(', ')} />
        <Field name="countries" label="Countries" placeholder="DE, AT, CH" value={countries.join(', ')} />
      </fieldset>
    </Form>
  )
}

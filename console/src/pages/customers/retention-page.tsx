import type { OperatorRetention, OperatorRetentionPreview } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { Field, Form } from '../../ui/form/form.tsx'
import { formatNumber } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { ask } from '../../ui/question.tsx'
import { toast } from '../../ui/toast.tsx'

type Settings = Omit<OperatorRetention, 'version'>

const FIELDS = [
  [
    'orderYears',
    translate('Orders and invoices, in calendar years'),
    translate('Counted from the end of the year. Empty: until erased.'),
  ],
  [
    'closedAccountDays',
    translate('Closed accounts, in days'),
    translate('Then the person is erased. Empty: until erased.'),
  ],
  ['endedCartDays', translate('Ended carts, in days'), ''],
  ['mailDays', translate('Emails, in days'), ''],
  ['searchDays', translate('Search statistics, in days'), ''],
] as const satisfies readonly (readonly [keyof Settings, string, string])[]

const COUNTS = [
  ['orders', translate('Orders')],
  ['invoices', translate('Invoices and credit notes')],
  ['closedAccounts', translate('Closed accounts')],
  ['endedCarts', translate('Ended carts')],
  ['mails', translate('Emails')],
  ['searches', translate('Search statistics')],
] as const satisfies readonly (readonly [keyof OperatorRetentionPreview, string])[]

/** The retention periods, with a preview of the data that they would delete. */
export function RetentionPage() {
  const { data, error, reload } = useCall('retention', () => call('getRetention'))
  const [preview, setPreview] = useState<OperatorRetentionPreview | null>(null)
  return (
    <Page
      title={translate('Data retention')}
      lead={translate('Older data is deleted or made anonymous within minutes. This cannot be undone.')}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {data && (
        <Section title={translate('Keep')}>
          <Form
            key={data.version}
            submit={translate('Preview and save')}
            onSubmit={async (fields) => {
              const settings = settingsOf(fields)
              const found = await call('previewRetention', { body: settings })
              setPreview(found)
              const gone = Object.values(found).reduce((sum, count) => sum + count, 0)
              const question = {
                title: translate('Save these settings?'),
                consequences: COUNTS.map(([name, label]) => `${label}: ${formatNumber(found[name])}`).join(' · '),
                action: gone > 0 ? translate('Save and delete') : translate('Save'),
                danger: gone > 0,
              }
              if (!(await ask(question))) return false
              await call('saveRetention', { body: { ...settings, expectedVersion: data.version } })
              setPreview(null)
              toast(translate('Retention saved.'))
              reload()
            }}
          >
            {FIELDS.map(([name, label, hint]) => (
              <Field
                key={name}
                name={name}
                label={label}
                pointer={`/${name}`}
                hint={hint}
                value={String(data[name] ?? '')}
                type="number"
              />
            ))}
          </Form>
        </Section>
      )}
      {preview && (
        <Section title={translate('Affected now')}>
          <DescriptionList items={COUNTS.map(([name, label]) => [label, formatNumber(preview[name])])} />
        </Section>
      )}
    </Page>
  )
}

function settingsOf(fields: FormData): Settings {
  const typed = (name: string) => String(fields.get(name) ?? '').trim()
  const entries = FIELDS.map(([name]) => [name, typed(name)] as const).filter(([, text]) => text !== '')
  return Object.fromEntries(entries.map(([name, text]) => [name, Number(text)])) as Settings
}

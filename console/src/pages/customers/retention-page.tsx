import type { OperatorRetention, OperatorRetentionPreview } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Field, Form } from '../../ui/form/form.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { ask } from '../../ui/question.tsx'
import { toast } from '../../ui/toast.tsx'

type Settings = Omit<OperatorRetention, 'version'>

const FIELDS = [
  ['orderYears', 'Orders and invoices, in calendar years', 'Counted from the end of the year. Empty: until erased.'],
  ['closedAccountDays', 'Closed accounts, in days', 'Then the person is erased. Empty: until erased.'],
  ['endedCartDays', 'Ended carts, in days', ''],
  ['mailDays', 'Emails, in days', ''],
  ['searchDays', 'Search statistics, in days', ''],
] as const satisfies readonly (readonly [keyof Settings, string, string])[]

const COUNTS = [
  ['orders', 'Orders'],
  ['invoices', 'Invoices and credit notes'],
  ['closedAccounts', 'Closed accounts'],
  ['endedCarts', 'Ended carts'],
  ['mails', 'Emails'],
  ['searches', 'Search statistics'],
] as const satisfies readonly (readonly [keyof OperatorRetentionPreview, string])[]

/** How long data is kept, with a preview of what would go. */
export function RetentionPage() {
  const { data, error, reload } = useCall('retention', () => call('getRetention'))
  const [preview, setPreview] = useState<OperatorRetentionPreview | null>(null)
  return (
    <Page
      title="Data retention"
      lead="What is older is deleted or made anonymous within minutes. It cannot be brought back."
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {data && (
        <Section title="Keep">
          <Form
            key={data.version}
            submit="Preview and save"
            onSubmit={async (fields) => {
              const settings = settingsOf(fields)
              const found = await call('previewRetention', { body: settings })
              setPreview(found)
              const gone = Object.values(found).reduce((sum, count) => sum + count, 0)
              const question = {
                title: 'Save these settings?',
                consequences: COUNTS.map(([name, label]) => `${label}: ${found[name]}`).join(' · '),
                action: gone > 0 ? 'Save and delete' : 'Save',
                danger: gone > 0,
              }
              if (!(await ask(question))) return
              await call('saveRetention', { body: { ...settings, expectedVersion: data.version } })
              setPreview(null)
              toast('Retention saved.')
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
        <Section title="Would go now">
          <DescriptionList items={COUNTS.map(([name, label]) => [label, String(preview[name])])} />
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

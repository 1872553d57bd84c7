import type { OperatorMailSender } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { language as readLanguage, translate } from '../../language.ts'
import { Link, useGuardedChoice, useQueryParameter } from '../../router.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { Field, Form, Select } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { mailKindText } from '../mailbox/mail-kind.ts'

const SOURCES = {
  store: translate('Store'),
  marketplace: translate('Marketplace'),
  default: translate('Default'),
} as const

/** The editable emails of the marketplace or of a store, and their sender. */
export function MailTemplatesPage() {
  const [storeSlug, setStoreSlug] = useQueryParameter('store')
  const [language, setLanguage] = useQueryParameter('language')
  const [key, choose] = useGuardedChoice()
  const query = storeSlug ? { storeSlug } : {}
  // The language that the operator reads, unless another is selected.
  const shown = language || readLanguage
  const list = useCall(`${storeSlug} ${shown}`, () =>
    call('listMailTemplates', { query: { ...query, language: shown } }),
  )
  const { data: sender, ...ofSender } = useCall(storeSlug, () => call('getMailSender', { query }))
  const { data: templates, loading } = list
  const failed = [list, ofSender].find(({ error }) => error)
  type Item = NonNullable<typeof templates>['items'][number]
  const columns: readonly Column<Item>[] = [
    { title: translate('Email'), text: true, show: ({ kind }) => mailKindText(kind) },
    { title: translate('Subject'), wide: true, show: ({ subject }) => subject },
    { title: translate('Text'), show: ({ source }) => SOURCES[source] },
    { title: translate('Edited'), show: (item) => item.languages.map(languageName).join(', ') || '–' },
  ]
  return (
    <Page
      title={translate('Email templates')}
      lead={translate(
        'The texts and the sender of emails. The layout, items, amounts and links are added to every email.',
      )}
      actions={<Link to="/mailbox">{translate('Mailbox')}</Link>}
    >
      <div class="filters">
        <StoreSelect
          key={key}
          label={translate('Store')}
          none={translate('Marketplace')}
          value={storeSlug}
          onChange={(slug) => choose(() => setStoreSlug(slug))}
        />
        <Select
          name="language"
          label={translate('Language to edit')}
          value={shown}
          options={(templates?.languages ?? [shown]).map((each) => [each, languageName(each)])}
          onChange={setLanguage}
        />
      </div>
      {failed ? <ErrorNotice error={failed.error} retry={failed.reload} /> : null}
      {sender && (
        <Sender
          key={`${storeSlug} ${sender.version}`}
          sender={sender}
          storeSlug={storeSlug}
          onSaved={ofSender.reload}
        />
      )}
      <div aria-busy={loading} class={loading ? 'loading' : ''}>
        {templates && (
          <Table
            caption={translate('Emails')}
            items={templates.items}
            columns={columns}
            keyOf={({ kind }) => kind}
            to={({ kind }) => `/mail-templates/${kind}/${shown}${storeSlug ? `?store=${storeSlug}` : ''}`}
          />
        )}
      </div>
    </Page>
  )
}

interface SenderProps {
  readonly sender: OperatorMailSender
  readonly storeSlug: string
  readonly onSaved: () => void
}

function Sender({ sender, storeSlug, onSaved }: SenderProps) {
  const [editing, setEditing] = useState(false)
  const { name = '', address = '', replyTo = '', from, answersTo, version } = sender
  const edit = (
    <Allowed by="saveMailSender">
      <button type="button" onClick={() => setEditing(true)}>
        {translate('Edit sender')}
      </button>
    </Allowed>
  )
  if (!editing) {
    return (
      <Section title={translate('Sender')} actions={edit}>
        <DescriptionList
          items={[
            [translate('From'), from],
            [translate('Replies go to'), answersTo ?? translate('The sender')],
          ]}
        />
      </Section>
    )
  }
  return (
    <Section title={translate('Sender')}>
      <Form
        submit={translate('Save')}
        cancel={() => setEditing(false)}
        onSubmit={async (fields) => {
          const typed = ['name', 'address', 'replyTo'].flatMap((each) => {
            const value = String(fields.get(each) ?? '').trim()
            return value ? [[each, value] as const] : []
          })
          const body = { ...Object.fromEntries(typed), ...(storeSlug && { storeSlug }), expectedVersion: version }
          await call('saveMailSender', { body })
          onSaved()
        }}
      >
        <Field
          name="name"
          label={translate('Name')}
          hint={translate('Leave empty for the name of the store.')}
          value={name}
        />
        <Field
          name="address"
          type="email"
          label={translate('Address')}
          hint={translate(
            'Your mail server must be allowed to send for its domain (SPF, DKIM, DMARC). Leave empty for the address of the installation.',
          )}
          value={address}
        />
        <Field
          name="replyTo"
          type="email"
          label={translate('Replies go to')}
          hint={translate('Leave empty for the contact address of the store.')}
          value={replyTo}
        />
        <Notice>
          <p>{translate('After you change the address, send yourself a test email.')}</p>
        </Notice>
      </Form>
    </Section>
  )
}

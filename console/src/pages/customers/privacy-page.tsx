import type { OperatorErasure } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { useQueryParameter } from '../../router.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { sentenceCase } from '../../ui/format/text.ts'
import { Count } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { askThen } from '../../ui/question.tsx'

/** Finds, exports and erases the data about a person. */
export function PrivacyPage() {
  const [named] = useQueryParameter('person')
  const [person, setPerson] = useState(named ?? '')
  const [erasure, setErasure] = useState<OperatorErasure | null>(null)
  const [erased, setErased] = useState(false)
  const { actionError, busy, run } = useAction(() => {})
  const look = async (asked: string) => {
    setErased(false)
    // The button next to the data of one person must not erase another one.
    setErasure(null)
    setPerson(asked)
    setErasure(await call('previewErasure', { body: { person: asked } }))
  }
  const erase = () =>
    run(async () => {
      await call('erasePerson', { body: { person } })
      setErased(true)
      setErasure(null)
    })
  return (
    <Page
      title={translate('Privacy requests')}
      lead={translate('View, download, or erase all data about a person, with or without an account.')}
    >
      <Section title={translate('Person')}>
        <Form
          submit={translate('Look up')}
          guarded={false}
          onSubmit={(fields) => look(String(fields.get('person') ?? '').trim())}
        >
          <Field
            name="person"
            label={translate('Email or customer ID')}
            pointer="/person"
            value={person}
            required
            hint={translate('An address also finds orders that were placed as a guest.')}
          />
        </Form>
      </Section>
      <div aria-live="polite">
        {actionError ? <ErrorNotice error={actionError} /> : null}
        {erased && (
          <Notice kind="good">
            <p>
              {translate('The person was erased. Stored responses to repeated requests are erased within minutes.')}
            </p>
          </Notice>
        )}
      </div>
      {erasure && (
        <Found
          erasure={erasure}
          busy={busy}
          onExport={() => run(() => download(person))}
          onErase={() =>
            askThen(
              {
                title: translate('Erase this person?'),
                consequences: translate(
                  'Their account, carts, and emails are deleted, and their orders become anonymous. Invoices stay readable for the legal retention period. This cannot be undone.',
                ),
                action: translate('Erase'),
              },
              erase,
            )
          }
        />
      )}
    </Page>
  )
}

type FoundRow = OperatorErasure['found'][number]

const EFFECTS: Readonly<Record<FoundRow['effect'], string>> = {
  deleted: translate('Deleted'),
  erased: translate('Made anonymous'),
  kept_for_legal_time: translate('Kept for the legal retention period'),
}

const columns: readonly Column<FoundRow>[] = [
  { title: translate('Place'), show: ({ place }) => sentenceCase(place) },
  { title: translate('Entries'), numeric: true, show: ({ rows }) => <Count value={rows} /> },
  { title: translate('On erasure'), show: ({ effect }) => EFFECTS[effect] },
]

interface FoundProps {
  readonly erasure: OperatorErasure
  readonly busy: boolean
  readonly onExport: () => unknown
  readonly onErase: () => unknown
}

function Found({ erasure: { found, open }, busy, onExport, onErase }: FoundProps) {
  if (found.length === 0)
    return <Empty title={translate('Nothing found')} hint={translate('There is no data about this person.')} />
  return (
    <Section
      title={translate('Stored data')}
      actions={
        <>
          <button type="button" disabled={busy} onClick={() => void onExport()}>
            {translate('Download everything')}
          </button>
          <button type="button" class="danger" disabled={busy || open.length > 0} onClick={() => void onErase()}>
            {translate('Erase')}
          </button>
        </>
      }
    >
      {open.length > 0 && (
        <Notice>
          <p>{translate('Before an erasure, these have to be completed: {open}', { open: open.join(', ') })}</p>
        </Notice>
      )}
      <Table caption={translate('Stored data')} items={found} columns={columns} keyOf={({ place }) => place} />
    </Section>
  )
}

/** Saves everything about a person as a file. */
async function download(person: string): Promise<void> {
  const data = await call('exportPerson', { body: { person } })
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(data, null, 2)}\n`], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'personal-data.json'
  link.click()
  URL.revokeObjectURL(url)
}

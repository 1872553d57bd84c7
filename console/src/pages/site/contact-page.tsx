import type { OperatorContactList } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { AddLanguage } from '../../ui/form/add-language.tsx'
import { Allowed } from '../../ui/form/editable.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { sentenceCase } from '../../ui/format/text.ts'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { moved } from '../../ui/list/moved.ts'
import { Empty, ErrorNotice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Channel, ChannelForm } from './channel-form.tsx'

/** The contact channels of the site, in each language. */
export function ContactPage() {
  const { data, error, reload } = useCall('contact', () => call('listContactLists'))
  const [adding, setAdding] = useState(false)
  const [added, setAdded] = useState<readonly string[]>([])
  const savedLocales = data?.items.map(({ locale }) => locale) ?? []
  const lists = [
    ...(data?.items ?? []),
    ...added.filter((locale) => !savedLocales.includes(locale)).map((locale) => ({ locale, channels: [] })),
  ]
  const add = (
    <Allowed by="saveContactList">
      <button type="button" class="primary" onClick={() => setAdding(true)}>
        {translate('Add language')}
      </button>
    </Allowed>
  )
  return (
    <Page
      title={translate('Contact')}
      lead={translate('Contact channels for shoppers, by language and in the order shown.')}
      actions={add}
    >
      {error ? <ErrorNotice error={error} retry={reload} /> : null}
      {data && lists.length === 0 && (
        <Empty title={translate('No contact channels yet')} hint={translate('Add a language, then its first channel.')}>
          {add}
        </Empty>
      )}
      {lists.map((list) => (
        <List key={list.locale} list={list} onSaved={reload} />
      ))}
      {adding && (
        <AddLanguage
          taken={lists.map(({ locale }) => locale)}
          onAdd={(locale) => setAdded((before) => [...before, locale])}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  )
}

const hoursOf: Column<Channel> = { title: translate('Hours'), text: true, show: ({ hours }) => hours ?? '' }
const facts: readonly Column<Channel>[] = [
  { title: translate('Label'), show: ({ label }) => label },
  { title: translate('Type'), show: ({ type }) => <span class="unbroken">{sentenceCase(type)}</span> },
  { title: translate('Value'), wide: true, show: ({ value }) => value },
  hoursOf,
]

interface Actions {
  readonly channels: readonly Channel[]
  readonly busy: boolean
  readonly onUp: (channel: Channel) => void
  readonly onEdit: (index: number) => void
  readonly onRemove: (channel: Channel) => void
}

function columnsOf({ channels, busy, onUp, onEdit, onRemove }: Actions): readonly Column<Channel>[] {
  const actions = (channel: Channel) => {
    const index = channels.indexOf(channel)
    return (
      <Allowed by="saveContactList">
        <div class="actions">
          {index > 0 && (
            <button
              type="button"
              disabled={busy}
              aria-label={translate('Move {label} up', { label: channel.label })}
              onClick={() => onUp(channel)}
            >
              {translate('Up')}
            </button>
          )}
          <button type="button" onClick={() => onEdit(index)}>
            {translate('Edit')}
          </button>
          <button type="button" class="danger" disabled={busy} onClick={() => onRemove(channel)}>
            {translate('Remove')}
          </button>
        </div>
      </Allowed>
    )
  }
  // Without hours, the values have the width of their column.
  const shown = channels.some(({ hours }) => hours) ? facts : facts.filter((fact) => fact !== hoursOf)
  return [...shown, { title: translate('Actions'), buttons: true, show: actions }]
}

function List({ list, onSaved }: { readonly list: OperatorContactList; readonly onSaved: () => void }) {
  const { locale, channels } = list
  const [editing, setEditing] = useState<number | null>(null)
  const { actionError, busy, run } = useAction(onSaved)
  // Another operator may have changed the list since the page was opened.
  async function change(edit: (current: readonly Channel[]) => readonly Channel[]): Promise<void> {
    const { items } = await call('listContactLists')
    const current = items.find((each) => each.locale === locale)?.channels ?? []
    await call('saveContactList', { params: { locale }, body: { channels: [...edit(current)] } })
  }
  async function remove(channel: Channel): Promise<void> {
    const others = (current: readonly Channel[]) => current.filter(({ id }) => id !== channel.id)
    await change(others)
    const putBack = () => change((current) => others(current).toSpliced(channels.indexOf(channel), 0, channel))
    toast(translate('Channel removed'), () => void run(putBack))
  }
  const moveUp = ({ id }: Channel) =>
    change((current) => {
      const index = current.findIndex((each) => each.id === id)
      return moved(current, index, index - 1)
    })
  const close = () => {
    setEditing(null)
    onSaved()
  }

  const columns = columnsOf({
    channels,
    busy,
    onUp: (channel) => void run(() => moveUp(channel)),
    onEdit: setEditing,
    onRemove: (channel) => void run(() => remove(channel)),
  })
  return (
    <Section
      title={languageName(locale)}
      actions={
        <Allowed by="saveContactList">
          <button type="button" onClick={() => setEditing(channels.length)}>
            {translate('Add channel')}
          </button>
        </Allowed>
      }
    >
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {channels.length === 0 && (
        <Empty title={translate('No channels yet')} hint={translate('Add a channel to keep this language.')} />
      )}
      <Table
        caption={translate('Channels in {locale}', { locale: languageName(locale) })}
        items={channels}
        columns={columns}
        keyOf={({ id }) => id}
      />
      {editing !== null && (
        <ChannelForm
          index={editing}
          channel={channels[editing] ?? null}
          locale={locale}
          onClose={close}
          onSave={async (channel) => {
            const before = channels[editing]?.id
            await change((current) => {
              const index = current.findIndex(({ id }) => id === before)
              return index < 0 ? [...current, channel] : current.toSpliced(index, 1, channel)
            })
            close()
          }}
        />
      )}
    </Section>
  )
}

import type { OperatorDecoration, OperatorStore } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { ApiError, call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { When } from '../../ui/format/values.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { type Content, starter } from './content.ts'
import { Editor } from './editor.tsx'

const back = { to: '/decorations', title: 'Decorations' }

/** How a store looks: worked on as a draft, seen as it would look, then shown to everybody. */
export function DecorationPage({ params: { storeSlug = '' } }: PageProps) {
  const params = { storeSlug }
  const { answer, error, reload } = useCall(storeSlug, () =>
    Promise.all([call('getStore', { params }), call('getStoreDecorationDraft', { params })]),
  )
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading …</p>
  const [store, decoration] = answer
  const known = decoration.draft?.version ?? 0
  return <Work key={`${storeSlug} ${known}`} store={store} decoration={decoration} onSaved={reload} />
}

interface WorkProps {
  readonly store: OperatorStore
  readonly decoration: OperatorDecoration
  readonly onSaved: () => void
}

function Work({ store, decoration: { draft, published, versions }, onSaved }: WorkProps) {
  const params = { storeSlug: store.slug }
  const kept = draft?.content ?? published?.content ?? starter('en', 'Welcome')
  const expectedVersion = draft?.version ?? 0
  const [content, setContent] = useState<Content>(kept)
  const { failed, busy, act } = useAct(onSaved)
  const isChanged = !same(content, kept)
  const isShown = published !== undefined && same(published.content, content)
  const faults = failed instanceof ApiError ? failed.answer.details : []

  const save = () => act(() => call('saveStoreDecorationDraft', { params, body: { ...content, expectedVersion } }))
  const publish = () =>
    act(async () => {
      const isKept = draft !== undefined && !isChanged
      const { version } = isKept
        ? draft
        : await call('saveStoreDecorationDraft', { params, body: { ...content, expectedVersion } })
      await call('publishStoreDecoration', { params, body: { expectedVersion: version } })
    })
  const takeUp = (version: number) =>
    act(() => call('takeUpStoreDecoration', { params, body: { version, expectedVersion } }))

  return (
    <Page
      title={`Decoration of ${store.name}`}
      back={back}
      lead={
        isShown
          ? `Version ${published.version} is shown to everybody, as it stands here.`
          : published
            ? `Version ${published.version} is shown. What stands here is a draft.`
            : 'Nothing is shown yet. What stands here is a draft.'
      }
      actions={
        <>
          <button type="button" disabled={busy || !isChanged} onClick={() => void save()}>
            Save the draft
          </button>
          <button
            type="button"
            class="primary"
            disabled={busy || isShown}
            onClick={() => confirm('Show it to everybody?') && void publish()}
          >
            Publish
          </button>
        </>
      }
    >
      {failed ? <ErrorNotice error={failed} /> : null}
      {isChanged && !failed && (
        <Notice>
          <p>There are changes that are not saved.</p>
        </Notice>
      )}
      <Editor content={content} onChange={setContent} faults={faults} />
      <Versions
        versions={versions}
        shown={published?.version ?? 0}
        busy={busy}
        onTakeUp={(each) => void takeUp(each)}
      />
    </Page>
  )
}

interface VersionsProps {
  readonly versions: OperatorDecoration['versions']
  readonly shown: number
  readonly busy: boolean
  readonly onTakeUp: (version: number) => void
}

function Versions({ versions, shown, busy, onTakeUp }: VersionsProps) {
  if (versions.length === 0) return null
  const columns: readonly Column<OperatorDecoration['versions'][number]>[] = [
    { title: 'Version', show: ({ version }) => (version === shown ? `${version}, shown now` : version) },
    { title: 'Published', show: ({ publishedAt }) => <When at={publishedAt} /> },
    { title: 'Hash', wide: true, show: ({ contentHash }) => <code>{contentHash.slice(0, 16)}…</code> },
    {
      title: 'Do',
      acts: true,
      show: ({ version }) => (
        <button
          type="button"
          disabled={busy}
          onClick={() => confirm('Make it the draft again? The draft as it is now is lost.') && onTakeUp(version)}
        >
          Take up again
        </button>
      ),
    },
  ]
  return (
    <Section title="Versions">
      <Table caption="Versions" items={versions} columns={columns} keyOf={({ version }) => String(version)} />
    </Section>
  )
}

function same(one: Content, other: Content): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

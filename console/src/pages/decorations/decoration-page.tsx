import type { OperatorDecoration, OperatorStore } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { ApiError, call } from '../../api.ts'
import { translate } from '../../language.ts'
import type { PageProps } from '../../page.ts'
import { Allowed } from '../../ui/form/editable.tsx'
import { useUnsaved } from '../../ui/form/unsaved.ts'
import { DateTime } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { type Column, Table } from '../../ui/list/list-page.tsx'
import { LoadingPage } from '../../ui/loading.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { askThen } from '../../ui/question.tsx'
import { type Content, starter } from './content.ts'
import { Editor } from './editor.tsx'

const back = { to: '/decorations', title: translate('Store design') }

/** The design of a store: edit the draft, preview it, publish it. */
export function DecorationPage({ params: { storeSlug = '' } }: PageProps) {
  const params = { storeSlug }
  const { data, error, reload } = useCall(storeSlug, () =>
    Promise.all([call('getStore', { params }), call('getStoreDecorationDraft', { params })]),
  )
  if (!data) return <LoadingPage error={error} retry={reload} />
  const [store, decoration] = data
  const draftVersion = decoration.draft?.version ?? 0
  return <DesignEditor key={`${storeSlug} ${draftVersion}`} store={store} decoration={decoration} onSaved={reload} />
}

interface DesignEditorProps {
  readonly store: OperatorStore
  readonly decoration: OperatorDecoration
  readonly onSaved: () => void
}

function DesignEditor({ store, decoration: { draft, published, versions }, onSaved }: DesignEditorProps) {
  const params = { storeSlug: store.slug }
  const saved = draft?.content ?? published?.content ?? starter('en', translate('Welcome'))
  // The draft that is stored: another try to publish must not save it with the version before it.
  const [stored, setStored] = useState({ content: draft?.content, version: draft?.version ?? 0 })
  const expectedVersion = stored.version
  const [content, setContent] = useState<Content>(saved)
  const { actionError, busy, run } = useAction(onSaved)
  const isChanged = !same(content, saved)
  useUnsaved(() => isChanged && !busy)
  const isPublished = published !== undefined && same(published.content, content)
  const fieldErrors = actionError instanceof ApiError ? actionError.response.details : []

  const save = () => run(() => call('saveStoreDecorationDraft', { params, body: { ...content, expectedVersion } }))
  const publish = () =>
    run(async () => {
      let { version } = stored
      if (stored.content === undefined || !same(content, stored.content)) {
        version = (await call('saveStoreDecorationDraft', { params, body: { ...content, expectedVersion } })).version
        setStored({ content, version })
      }
      await call('publishStoreDecoration', { params, body: { expectedVersion: version } })
    })
  const restore = (version: number) =>
    run(() => call('takeUpStoreDecoration', { params, body: { version, expectedVersion } }))

  return (
    <Page
      title={translate('Design of {name}', { name: store.name })}
      back={back}
      lead={leadOf(published, isPublished)}
      actions={
        <>
          <Allowed by="saveStoreDecorationDraft">
            <button type="button" disabled={busy || !isChanged} onClick={() => void save()}>
              {translate('Save draft')}
            </button>
          </Allowed>
          <Allowed by="publishStoreDecoration">
            <button
              type="button"
              class="primary"
              disabled={busy || isPublished}
              onClick={() =>
                askThen(
                  {
                    title: translate('Publish this design?'),
                    consequences: translate('Shoppers see it immediately. Earlier versions can be restored.'),
                    action: translate('Publish now'),
                    danger: false,
                  },
                  publish,
                )
              }
            >
              {translate('Publish')}
            </button>
          </Allowed>
        </>
      }
    >
      {actionError ? <ErrorNotice error={actionError} /> : null}
      {isChanged && !actionError && (
        <Notice>
          <p>{translate('You have unsaved changes.')}</p>
        </Notice>
      )}
      <Editor content={content} onChange={setContent} errors={fieldErrors} />
      <Versions
        versions={versions}
        publishedVersion={published?.version ?? 0}
        busy={busy}
        onRestore={(each) => void restore(each)}
      />
    </Page>
  )
}

function leadOf(published: OperatorDecoration['published'], isPublished: boolean): string {
  if (published === undefined) return translate('Nothing is published yet. You are editing a draft.')
  const { version } = published
  return isPublished
    ? translate('Version {version} is published and has no unpublished changes.', { version })
    : translate('Version {version} is published. You are editing a draft.', { version })
}

interface VersionsProps {
  readonly versions: OperatorDecoration['versions']
  readonly publishedVersion: number
  readonly busy: boolean
  readonly onRestore: (version: number) => void
}

function Versions({ versions, publishedVersion, busy, onRestore }: VersionsProps) {
  if (versions.length === 0) return null
  const columns: readonly Column<OperatorDecoration['versions'][number]>[] = [
    {
      title: translate('Version'),
      show: ({ version }) => (version === publishedVersion ? translate('{version} (published)', { version }) : version),
    },
    { title: translate('Published'), show: ({ publishedAt }) => <DateTime at={publishedAt} /> },
    {
      title: translate('Content hash'),
      wide: true,
      show: ({ contentHash }) => <code>{contentHash.slice(0, 16)}…</code>,
    },
    {
      title: translate('Actions'),
      buttons: true,
      show: ({ version }) => (
        <Allowed by="takeUpStoreDecoration">
          <button
            type="button"
            disabled={busy}
            onClick={() =>
              askThen(
                {
                  title: translate('Restore this version as the draft?'),
                  consequences: translate('The current draft is lost. Shoppers see no change until you publish.'),
                  action: translate('Restore'),
                },
                () => onRestore(version),
              )
            }
          >
            {translate('Restore')}
          </button>
        </Allowed>
      ),
    },
  ]
  return (
    <Section title={translate('Versions')}>
      <Table
        caption={translate('Versions')}
        items={versions}
        columns={columns}
        keyOf={({ version }) => String(version)}
      />
    </Section>
  )
}

function same(one: Content, other: Content): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

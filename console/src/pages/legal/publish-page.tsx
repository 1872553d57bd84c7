import { legalTypes } from 'virtual:contract-words'
import type { RichText } from '@vitrine/contract'
import type { OperatorLegalDocument } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { go, useParameter } from '../../router.tsx'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { StoreChoice } from '../../ui/form/store-select.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { RichTextView } from '../../ui/rich-text.tsx'
import { wordOf } from './document-names.ts'

const back = { to: '/legal', title: 'Legal documents' }
const FORMATS = [
  ['markdown', 'Markdown'],
  ['plain', 'Plain text'],
] as const
const types = legalTypes.map((type) => [type, wordOf(type)] as const)

/** Publishes a document in one language, which is seen as it is written. */
export function PublishPage() {
  const [from] = useParameter('from')
  const { answer, error, loading, reload } = useCall(from, async () =>
    from ? call('getLegalDocument', { params: { documentId: from } }) : null,
  )
  if (error) return <ErrorNotice error={error} retry={reload} />
  if (loading) return <p class="lead">Loading …</p>
  return <Publish template={answer} />
}

function Publish({ template }: { readonly template: OperatorLegalDocument | null }) {
  const [storeSlug] = useParameter('store')
  const text = template?.texts[0]
  const [title, setTitle] = useState(text?.title ?? '')
  const [content, setContent] = useState<RichText>(text?.content ?? { format: 'markdown', text: '' })
  return (
    <Page
      title="Publish a document"
      lead="It cannot be changed afterwards. The same version may come in further languages."
      back={back}
    >
      <div class="beside">
        <Section title="The document">
          <Form
            submit="Publish"
            onSubmit={async (fields) => {
              const said = (name: string) => String(fields.get(name) ?? '').trim()
              const [store, effective] = [said('storeSlug'), said('effectiveAt')]
              const { document } = await call('publishLegalDocument', {
                body: {
                  ...(store && { storeSlug: store }),
                  type: legalTypes.find((each) => each === said('type')) ?? 'terms_of_use',
                  version: said('version'),
                  locale: said('locale'),
                  title,
                  content,
                  ...(effective && { effectiveAt: new Date(effective).toISOString() }),
                },
              })
              go(`/legal/${document.id}`)
            }}
          >
            <StoreChoice label="Whose" none="The marketplace's own" value={storeSlug} />
            <Select name="type" label="Document" value={template?.type ?? 'terms_of_use'} options={types} />
            <Field name="version" label="Version" hint="Such as 2026-11. It names this text for good." required />
            <Field name="locale" label="Language" hint="A tag such as en or de." value={text?.locale ?? 'en'} />
            <Field
              name="effectiveAt"
              type="datetime-local"
              label="In force from"
              hint="In your own time. Empty: at once."
            />
            <div onInput={(event) => setTitle((event.target as HTMLInputElement).value)}>
              <Field name="title" label="Title" value={title} required />
            </div>
            <Select
              name="format"
              label="Written in"
              pointer="/content/format"
              value={content.format}
              options={FORMATS}
              onChange={(format) => setContent({ ...content, format: format === 'plain' ? 'plain' : 'markdown' })}
            />
            <div onInput={(event) => setContent({ ...content, text: (event.target as HTMLTextAreaElement).value })}>
              <TextField
                name="text"
                label="Text"
                hint="Headings, lists, emphasis and links; no HTML."
                pointer="/content/text"
                rows={18}
                value={content.text}
              />
            </div>
          </Form>
        </Section>
        <Section title="As it is read">
          <article class="prose" aria-live="polite">
            <h2>{title || 'Its title'}</h2>
            {content.text.trim() === '' ? (
              <p class="small">Its text stands here.</p>
            ) : (
              <RichTextView content={content} />
            )}
          </article>
        </Section>
      </div>
    </Page>
  )
}

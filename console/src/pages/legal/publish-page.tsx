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

/** Publishes a document in one language, with a live preview. */
export function PublishPage() {
  const [from] = useParameter('from')
  const { answer, error, loading, reload } = useCall(from, async () =>
    from ? call('getLegalDocument', { params: { documentId: from } }) : null,
  )
  if (error) return <ErrorNotice error={error} retry={reload} />
  if (loading) return <p class="lead">Loading…</p>
  return <Publish template={answer} />
}

function Publish({ template }: { readonly template: OperatorLegalDocument | null }) {
  const [storeSlug] = useParameter('store')
  const text = template?.texts[0]
  const [title, setTitle] = useState(text?.title ?? '')
  const [content, setContent] = useState<RichText>(text?.content ?? { format: 'markdown', text: '' })
  return (
    <Page
      title="Publish document"
      lead="A published document cannot be changed. You can add the same version in other languages."
      back={back}
    >
      <div class="beside">
        <Section title="Document">
          <Form
            submit="Publish"
            onSubmit={async (fields) => {
              const typed = (name: string) => String(fields.get(name) ?? '').trim()
              const [store, effective] = [typed('storeSlug'), typed('effectiveAt')]
              const { document } = await call('publishLegalDocument', {
                body: {
                  ...(store && { storeSlug: store }),
                  type: legalTypes.find((each) => each === typed('type')) ?? 'terms_of_use',
                  version: typed('version'),
                  locale: typed('locale'),
                  title,
                  content,
                  ...(effective && { effectiveAt: new Date(effective).toISOString() }),
                },
              })
              go(`/legal/${document.id}`)
            }}
          >
            <StoreChoice label="Store" none="Marketplace" value={storeSlug} />
            <Select name="type" label="Document" value={template?.type ?? 'terms_of_use'} options={types} />
            <Field
              name="version"
              label="Version"
              hint="Such as 2026-11. It identifies this text permanently."
              required
            />
            <Field
              name="locale"
              label="Language"
              hint="Language code, such as en or de."
              value={text?.locale ?? 'en'}
            />
            <Field
              name="effectiveAt"
              type="datetime-local"
              label="Effective from"
              hint="In your time zone. Leave empty to publish immediately."
            />
            <div onInput={(event) => setTitle((event.target as HTMLInputElement).value)}>
              <Field name="title" label="Title" value={title} required />
            </div>
            <Select
              name="format"
              label="Format"
              pointer="/content/format"
              value={content.format}
              options={FORMATS}
              onChange={(format) => setContent({ ...content, format: format === 'plain' ? 'plain' : 'markdown' })}
            />
            <div onInput={(event) => setContent({ ...content, text: (event.target as HTMLTextAreaElement).value })}>
              <TextField
                name="text"
                label="Text"
                hint="Headings, lists, emphasis, and links. No HTML."
                pointer="/content/text"
                rows={18}
                value={content.text}
              />
            </div>
          </Form>
        </Section>
        <Section title="Preview">
          <article class="prose" aria-live="polite">
            <h2>{title || 'Title'}</h2>
            {content.text.trim() === '' ? (
              <p class="small">The text appears here.</p>
            ) : (
              <RichTextView content={content} />
            )}
          </article>
        </Section>
      </div>
    </Page>
  )
}

import { legalTypes } from 'virtual:contract-enums'
import type { RichText } from '@vitrine/contract'
import type { OperatorLegalDocument } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import { navigate, useQueryParameter } from '../../router.tsx'
import { languagesFor } from '../../stores.ts'
import { LanguagePicker } from '../../ui/code-picker.tsx'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { StoreSelect } from '../../ui/form/store-select.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { LoadingPage } from '../../ui/loading.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { ask } from '../../ui/question.tsx'
import { RichTextView } from '../../ui/rich-text.tsx'
import { documentName } from './document-names.ts'

const back = { to: '/legal', title: translate('Legal documents') }
const FORMATS = [
  ['markdown', translate('Markdown')],
  ['plain', translate('Plain text')],
] as const
const PUBLISH = {
  title: translate('Publish this text?'),
  consequences: translate('It cannot be changed or removed afterwards. Customers may accept it once it is in effect.'),
  action: translate('Publish now'),
  danger: false,
}
const types = legalTypes.map((type) => [type, documentName(type)] as const)

/** Publishes a document in one language, with a live preview. */
export function PublishPage() {
  const [from] = useQueryParameter('from')
  const { data, error, loading, reload } = useCall(from, async () =>
    from ? call('getLegalDocument', { params: { documentId: from } }) : null,
  )
  if (error || loading) return <LoadingPage error={error} retry={reload} />
  return <Publish template={data} />
}

function Publish({ template }: { readonly template: OperatorLegalDocument | null }) {
  const [storeSlug] = useQueryParameter('store')
  const [language] = useQueryParameter('locale')
  const text = template?.texts.find(({ locale }) => locale === language) ?? template?.texts[0]
  const [title, setTitle] = useState(text?.title ?? '')
  const [content, setContent] = useState<RichText>(text?.content ?? { format: 'markdown', text: '' })
  return (
    <Page
      title={translate('Publish document')}
      lead={translate('A published document cannot be changed. You can add the same version in other languages.')}
      back={back}
    >
      <div class="two-columns">
        <Section title={translate('Document')}>
          <Form
            submit={translate('Publish')}
            by="publishLegalDocument"
            onSubmit={async (fields) => {
              if (!(await ask(PUBLISH))) return false
              navigate(`/legal/${await publish(fields, title, content)}`)
            }}
          >
            <StoreSelect
              label={translate('Store')}
              none={translate('Marketplace')}
              value={template ? (template.store ?? '') : storeSlug}
            />
            <Select
              name="type"
              label={translate('Document')}
              value={template?.type ?? 'terms_of_use'}
              options={types}
            />
            <Field
              name="version"
              label={translate('Version')}
              hint={translate('Such as 2026-11. It identifies this text permanently.')}
              required
            />
            <LanguagePicker
              name="locale"
              label={translate('Language')}
              ids={[text?.locale ?? languagesFor(storeSlug || null)[0] ?? 'en']}
              isSingle
            />
            <Field
              name="effectiveAt"
              type="datetime-local"
              label={translate('Effective from')}
              hint={translate('In your time zone. Leave empty to take effect immediately.')}
            />
            <div onInput={(event) => setTitle((event.target as HTMLInputElement).value)}>
              <Field name="title" label={translate('Title')} value={title} required />
            </div>
            <Select
              name="format"
              label={translate('Format')}
              pointer="/content/format"
              value={content.format}
              options={FORMATS}
              onChange={(format) => setContent({ ...content, format: format === 'plain' ? 'plain' : 'markdown' })}
            />
            <div onInput={(event) => setContent({ ...content, text: (event.target as HTMLTextAreaElement).value })}>
              <TextField
                name="text"
                label={translate('Text')}
                hint={translate('Headings, lists, emphasis, and links. No HTML.')}
                pointer="/content/text"
                rows={18}
                value={content.text}
              />
            </div>
          </Form>
        </Section>
        <Preview title={title} content={content} />
      </div>
    </Page>
  )
}

function Preview({ title, content }: { readonly title: string; readonly content: RichText }) {
  return (
    <Section title={translate('Preview')}>
      <article class="prose" aria-live="polite">
        <h2>{title || translate('Title')}</h2>
        {content.text.trim() === '' ? (
          <p class="small">{translate('The text appears here.')}</p>
        ) : (
          <RichTextView content={content} />
        )}
      </article>
    </Section>
  )
}

/** Publishes the document and returns its ID. */
async function publish(fields: FormData, title: string, content: RichText): Promise<string> {
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
  return document.id
}

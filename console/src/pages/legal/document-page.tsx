import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link, useParameter } from '../../router.tsx'
import { Select } from '../../ui/form/form.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { Status, When } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { RichTextView } from '../../ui/rich-text.tsx'
import { wordOf } from './document-names.ts'

const back = { to: '/legal', title: 'Legal documents' }

/** One version of a legal document, as readers see it. */
export function DocumentPage({ params }: PageProps) {
  const documentId = params.documentId ?? ''
  const [locale, setLocale] = useParameter('locale')
  const { answer, error, reload } = useCall(documentId, () => call('getLegalDocument', { params: { documentId } }))
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  const { type, version, standing, effectiveAt, publishedAt, texts } = answer
  const text = texts.find((each) => each.locale === locale) ?? texts[0]
  return (
    <Page
      title={`${wordOf(type)}, version ${version}`}
      back={back}
      actions={
        <Link to={`/legal/publish?from=${documentId}`} class="button">
          Publish new version
        </Link>
      }
    >
      <Section title="Overview">
        <Facts
          facts={[
            ['Status', <Status key="s" value={standing} />],
            ['Effective from', <When key="e" at={effectiveAt} />],
            ['Published', <When key="p" at={publishedAt} />],
            ['ID', <code key="i">{documentId}</code>],
            ...(text ? [['SHA-256', <code key="h">{text.sha256}</code>] as const] : []),
          ]}
        />
      </Section>
      {text && (
        <Section
          title={text.title}
          actions={
            texts.length > 1 && (
              <Select
                name="locale"
                label="Language"
                value={text.locale}
                onChange={setLocale}
                options={texts.map((each) => [each.locale, languageName(each.locale)] as const)}
              />
            )
          }
        >
          <article class="prose" lang={text.locale}>
            <RichTextView content={text.content} />
          </article>
        </Section>
      )}
    </Page>
  )
}

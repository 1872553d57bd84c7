import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import type { PageProps } from '../../page.ts'
import { Link, useQueryParameter } from '../../router.tsx'
import { storeName } from '../../stores.ts'
import { Allowed } from '../../ui/form/editable.tsx'
import { Select } from '../../ui/form/form.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { useCall } from '../../ui/hooks/use-call.ts'
import { LoadingPage } from '../../ui/loading.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { RichTextView } from '../../ui/rich-text.tsx'
import { documentName } from './document-names.ts'

/** One version of a legal document, as readers see it. */
export function DocumentPage({ params }: PageProps) {
  const documentId = params.documentId ?? ''
  const [locale, setLocale] = useQueryParameter('locale')
  const { data, error, reload } = useCall(documentId, () => call('getLegalDocument', { params: { documentId } }))
  if (!data) return <LoadingPage error={error} retry={reload} />
  const { type, version, store, standing, effectiveAt, publishedAt, texts } = data
  const text = texts.find((each) => each.locale === locale) ?? texts[0]
  return (
    <Page
      title={translate('{type}, version {version}', { type: documentName(type), version })}
      back={{ to: store ? `/legal?store=${store}` : '/legal', title: translate('Legal documents') }}
      actions={
        <Allowed by="publishLegalDocument">
          <Link to={`/legal/publish?from=${documentId}${text ? `&locale=${text.locale}` : ''}`} class="button">
            {translate('Publish new version')}
          </Link>
        </Allowed>
      }
    >
      <Section title={translate('Overview')}>
        <DescriptionList
          items={[
            [translate('Status'), <Status key="s" value={standing} />],
            [translate('Store'), store === null ? translate('Marketplace') : storeName(store)],
            [translate('Effective from'), <DateTime key="e" at={effectiveAt} />],
            [translate('Published'), <DateTime key="p" at={publishedAt} />],
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
                label={translate('Language')}
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

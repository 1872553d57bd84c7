import type { OperatorProduct } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { inReadersLanguage, TextsFields, textsIn } from '../../ui/form/localized-text.tsx'
import { Status, When } from '../../ui/format/values.tsx'
import { useAct } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Facts, Page, Section } from '../../ui/page.tsx'
import { Images } from './images.tsx'
import { Skus } from './skus.tsx'

const back = { to: '/products', title: 'Products' }

/** One product: status, SKUs, details and images. */
export function ProductPage({ params }: PageProps) {
  const productId = params.productId ?? ''
  const { answer, error, reload } = useCall(productId, () => call('getProduct', { params: { productId } }))
  const { act, failed, busy } = useAct(reload)
  if (!answer) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  const { status, version } = answer
  const isPublished = status === 'published'
  const toggle = () =>
    act(() =>
      call('updateProduct', {
        params: { productId },
        body: { status: isPublished ? 'draft' : 'published', expectedVersion: version },
      }),
    )
  return (
    <Page
      title={inReadersLanguage(answer.names)}
      back={back}
      actions={
        <>
          <button type="button" class={isPublished ? '' : 'primary'} aria-disabled={busy} onClick={() => void toggle()}>
            {isPublished ? 'Unpublish' : 'Publish'}
          </button>
          <Link to={`/audit-log?subject=${productId}`}>Audit log</Link>
        </>
      }
    >
      {failed ? <ErrorNotice error={failed} /> : null}
      <Section title="Overview">
        <Facts
          facts={[
            ['Status', <Status key="s" value={status} />],
            [
              'Store',
              <Link key="t" to={`/stores/${answer.store}`}>
                {answer.store}
              </Link>,
            ],
            ['External ID', <code key="n">{answer.externalId}</code>],
            ['Slug', <code key="g">{answer.slug}</code>],
            ['Updated', <When key="w" at={answer.updatedAt} />],
          ]}
        />
      </Section>
      <Skus product={answer} onChanged={reload} />
      <Section title="Details">
        <Details product={answer} onChanged={reload} />
      </Section>
      <Section title="Images">
        <Images product={answer} onChanged={reload} />
      </Section>
    </Page>
  )
}

interface DetailsProps {
  readonly product: OperatorProduct
  readonly onChanged: () => void
}

function Details({ product, onChanged }: DetailsProps) {
  const { id, locales, names, subtitles, descriptions, brand, categories, version } = product
  const texts = Object.fromEntries(Object.entries(descriptions).map(([locale, { text }]) => [locale, text]))
  return (
    <Form
      key={version}
      submit="Save"
      onSubmit={async (fields) => {
        const format = fields.get('format') === 'markdown' ? 'markdown' : 'plain'
        const localized = Object.entries(textsIn(fields, 'descriptions')).map(([locale, text]) => [
          locale,
          { format, text },
        ])
        await call('updateProduct', {
          params: { productId: id },
          body: {
            names: textsIn(fields, 'names'),
            subtitles: textsIn(fields, 'subtitles'),
            descriptions: Object.fromEntries(localized),
            brand: String(fields.get('brand')).trim() || null,
            categories: pathsIn(fields.get('categories')),
            expectedVersion: version,
          },
        })
        onChanged()
      }}
    >
      <TextsFields name="names" label="Name" locales={locales} value={names} />
      <TextsFields name="subtitles" label="Subtitle" locales={locales} value={subtitles} />
      <TextsFields name="descriptions" label="Description" locales={locales} value={texts} rows={5} />
      <Select
        name="format"
        label="Description format"
        value={Object.values(descriptions)[0]?.format ?? 'plain'}
        options={[
          ['plain', 'Plain text'],
          ['markdown', 'Markdown'],
        ]}
      />
      <Field name="brand" label="Brand" value={brand ?? ''} />
      <TextField
        name="categories"
        label="Categories"
        hint="One per line, as a path of slugs: clothing / shirts. Missing categories are created."
        value={categories.map((path) => path.join(' / ')).join('\n')}
        rows={3}
      />
    </Form>
  )
}

function pathsIn(typed: FormDataEntryValue | null): string[][] {
  const slugs = (line: string) =>
    line
      .split('/')
      .map((slug) => slug.trim())
      .filter(Boolean)
  return String(typed ?? '')
    .split('\n')
    .map(slugs)
    .filter((path) => path.length > 0)
}

import type { OperatorProduct } from '@vitrine/contract/operator'
import { call } from '../../api.ts'
import type { PageProps } from '../../page.ts'
import { Link } from '../../router.tsx'
import { Field, Form, Select, TextField } from '../../ui/form/form.tsx'
import { LocalizedFields, localized, readLocalized } from '../../ui/form/localized-text.tsx'
import { DateTime, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { Images } from './images.tsx'
import { Skus } from './skus.tsx'

const back = { to: '/products', title: 'Products' }

/** One product: status, SKUs, details and images. */
export function ProductPage({ params }: PageProps) {
  const productId = params.productId ?? ''
  const { data, error, reload } = useCall(productId, () => call('getProduct', { params: { productId } }))
  const { run, actionError, busy } = useAction(reload)
  if (!data) return error ? <ErrorNotice error={error} retry={reload} /> : <p class="lead">Loading…</p>
  const { status, version } = data
  const isPublished = status === 'published'
  const toggle = () =>
    run(() =>
      call('updateProduct', {
        params: { productId },
        body: { status: isPublished ? 'draft' : 'published', expectedVersion: version },
      }),
    )
  return (
    <Page
      title={localized(data.names)}
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
      {actionError ? <ErrorNotice error={actionError} /> : null}
      <Section title="Overview">
        <DescriptionList
          items={[
            ['Status', <Status key="s" value={status} />],
            [
              'Store',
              <Link key="t" to={`/stores/${data.store}`}>
                {data.store}
              </Link>,
            ],
            ['External ID', <code key="n">{data.externalId}</code>],
            ['Slug', <code key="g">{data.slug}</code>],
            ['Updated', <DateTime key="w" at={data.updatedAt} />],
          ]}
        />
      </Section>
      <Skus product={data} onChanged={reload} />
      <Section title="Details">
        <Details product={data} onChanged={reload} />
      </Section>
      <Section title="Images">
        <Images product={data} onChanged={reload} />
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
        const localized = Object.entries(readLocalized(fields, 'descriptions')).map(([locale, text]) => [
          locale,
          { format, text },
        ])
        await call('updateProduct', {
          params: { productId: id },
          body: {
            names: readLocalized(fields, 'names'),
            subtitles: readLocalized(fields, 'subtitles'),
            descriptions: Object.fromEntries(localized),
            brand: String(fields.get('brand')).trim() || null,
            categories: parsePaths(fields.get('categories')),
            expectedVersion: version,
          },
        })
        onChanged()
      }}
    >
      <LocalizedFields name="names" label="Name" locales={locales} value={names} />
      <LocalizedFields name="subtitles" label="Subtitle" locales={locales} value={subtitles} />
      <LocalizedFields name="descriptions" label="Description" locales={locales} value={texts} rows={5} />
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

function parsePaths(typed: FormDataEntryValue | null): string[][] {
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

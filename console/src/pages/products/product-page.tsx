import type { OperatorProduct } from '@vitrine/contract/operator'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { translate } from '../../language.ts'
import type { PageProps } from '../../page.ts'
import { Link, navigate } from '../../router.tsx'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Allowed, Editable } from '../../ui/form/editable.tsx'
import { localized } from '../../ui/form/localized-text.tsx'
import { languageName } from '../../ui/format/display-names.ts'
import { DateTime, formatNumber, Status } from '../../ui/format/values.tsx'
import { useAction } from '../../ui/hooks/use-action.ts'
import { useCall } from '../../ui/hooks/use-call.ts'
import { LoadingPage } from '../../ui/loading.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { DescriptionList, Page, Section } from '../../ui/page.tsx'
import { SaveBar } from '../../ui/sheet.tsx'
import { AttributesEditor } from './attributes.tsx'
import { CategoryPicker } from './category-picker.tsx'
import { type Draft, withOptions } from './draft.ts'
import { duplicateOf } from './duplicate.ts'
import { OptionsEditor } from './options.tsx'
import { Pictures } from './pictures.tsx'
import { RelatedProducts } from './related-products.tsx'
import './products.css'
import { storeName } from '../../stores.ts'
import { LanguageTabs, ProductTexts, SearchListing, TextInput } from './texts.tsx'
import { type DraftState, useDraft } from './use-draft.ts'
import { VariantGrid } from './variant-grid.tsx'

const back = { to: '/products', title: translate('Products') }

/** One product: texts, pictures, variants and organization, edited together and saved at once. */
export function ProductPage({ params }: PageProps) {
  const productId = params.productId ?? ''
  const { data, error, reload } = useCall(productId, () => call('getProduct', { params: { productId } }))
  const [saved, setSaved] = useState<OperatorProduct | null>(null)
  if (!data) return <LoadingPage error={error} retry={reload} />
  const product = saved?.id === productId && saved.version >= data.version ? saved : data
  return <Editor key={`${product.id} ${product.updatedAt} ${product.version}`} product={product} onSaved={setSaved} />
}

interface EditorProps {
  readonly product: OperatorProduct
  readonly onSaved: (product: OperatorProduct) => void
}

function Editor({ product: loaded, onSaved }: EditorProps) {
  const state = useDraft(loaded, onSaved)
  const { product, draft, edit } = state
  const locales = [...new Set([...product.locales, ...Object.keys(product.names)])]
  const [locale, setLocale] = useState(locales[0] ?? 'en')
  const currencies = [
    ...new Set([
      ...product.currencies,
      ...product.skus.flatMap(({ prices }) => prices.map(({ currency }) => currency)),
    ]),
  ]
  return (
    <Page title={localized(product.names)} back={back} actions={<ProductActions product={product} onSaved={onSaved} />}>
      {state.error ? <ErrorNotice error={state.error} /> : null}
      <LanguageTabs locales={locales} selected={locale} onSelect={setLocale} isMissing={(each) => !draft.names[each]} />
      <Editable by="updateProduct">
        <div class="with-side">
          <div class="stacked">
            <Section title={translate('Texts')}>
              <ProductTexts {...{ draft, locale, edit }} />
            </Section>
            <Section title={translate('Pictures')}>
              <Pictures
                images={draft.images}
                locale={locale}
                language={languageName(locale)}
                onChange={(change, undo) => edit((now) => ({ ...now, images: [...change(now.images)] }), undo)}
              />
            </Section>
          </div>
          <Organization {...{ product, draft, edit }} />
        </div>
        <Section title={translate('Variants')}>
          <OptionsEditor
            options={draft.options}
            locale={locale}
            onChange={(options, undo) => edit((now) => withOptions(now, options), undo)}
          />
          <OwedUnits product={product} />
          <VariantGrid
            draft={draft}
            currencies={currencies}
            errors={state.cellErrors}
            onChange={(variants, undo) => edit((now) => ({ ...now, variants }), undo)}
          />
        </Section>
        <div class="two-columns">
          <div class="stacked">
            <Section title={translate('Attributes')}>
              <AttributesEditor
                attributes={draft.attributes}
                saved={product.attributes}
                locale={locale}
                onChange={(attributes, undo) => edit((now) => ({ ...now, attributes }), undo)}
              />
            </Section>
            <Section title={translate('Related products')}>
              <RelatedProducts
                product={product}
                ids={draft.relatedProductIds}
                onChange={(change, undo) =>
                  edit((now) => ({ ...now, relatedProductIds: change(now.relatedProductIds) }), undo)
                }
              />
            </Section>
          </div>
          <Section title={translate('Search engine listing')}>
            <SearchListing {...{ draft, locale, edit }} />
          </Section>
        </div>
      </Editable>
      <SaveBar {...state} />
    </Page>
  )
}

interface OrganizationProps {
  readonly product: OperatorProduct
  readonly draft: Draft
  readonly edit: DraftState['edit']
}

/** The status, the brand and the categories. */
function Organization({ product, draft, edit }: OrganizationProps) {
  return (
    <div class="stacked">
      <Section title={translate('Status')}>
        <label class="field">
          <select
            aria-label={translate('Status')}
            onChange={(event) => {
              const status = event.currentTarget.value as Draft['status']
              edit((now) => ({ ...now, status }))
            }}
          >
            {STATUSES.map(([value, label]) => (
              <option key={value} value={value} selected={draft.status === value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <p class="small">{translate('Only published products are shown and sold.')}</p>
      </Section>
      <Section title={translate('Organization')}>
        <TextInput
          label={translate('Brand')}
          value={draft.brand}
          onInput={(brand) => edit((now) => ({ ...now, brand }))}
        />
        <CategoryPicker
          stores={[product.store]}
          paths={draft.categories}
          onChange={(categories) => edit((now) => ({ ...now, categories }))}
        />
      </Section>
      <Section title={translate('Details')}>
        <DescriptionList
          items={[
            [
              translate('Store'),
              <Link key="s" to={`/stores/${product.store}`}>
                {storeName(product.store)}
              </Link>,
            ],
            [translate('External ID'), <code key="e">{product.externalId}</code>],
            [translate('Updated'), <DateTime key="u" at={product.updatedAt} />],
          ]}
        />
        <AuditLink subject={product.id} />
      </Section>
    </div>
  )
}

const STATUSES = [
  ['published', translate('Published')],
  ['draft', translate('Draft')],
  ['archived', translate('Archived')],
] as const

/** The actions on the whole product. */
function ProductActions({ product, onSaved }: EditorProps) {
  const { run, actionError, busy } = useAction(() => {})
  const isArchived = product.status === 'archived'
  return (
    <>
      {actionError ? <ErrorNotice error={actionError} /> : null}
      <Status value={product.status} />
      <Allowed by="createProduct">
        <button
          type="button"
          aria-disabled={busy}
          onClick={() =>
            void run(async () => {
              const { id } = await call('createProduct', { body: duplicateOf(product) })
              navigate(`/products/${id}`)
            })
          }
        >
          {translate('Duplicate')}
        </button>
      </Allowed>
      <Allowed by="updateProduct">
        <button
          type="button"
          aria-disabled={busy}
          onClick={() =>
            void run(async () => {
              const body = { status: isArchived ? 'draft' : 'archived', expectedVersion: product.version } as const
              onSaved(await call('updateProduct', { params: { productId: product.id }, body }))
            })
          }
        >
          {isArchived ? translate('Restore') : translate('Archive')}
        </button>
      </Allowed>
    </>
  )
}

/** Reports live units that were sold beyond the stock, which the next count is reduced by. */
function OwedUnits({ product: { skus } }: { readonly product: OperatorProduct }) {
  const owed = skus.flatMap(({ code, stock }) =>
    stock.flatMap((level) =>
      level.environment === 'live' && level.owed > 0 ? [`${code} (${formatNumber(level.owed)})`] : [],
    ),
  )
  if (owed.length === 0) return null
  return (
    <p class="small">
      {translate('Sold beyond the stock and not shipped yet: {units}. A new stock level is reduced by these units.', {
        units: owed.join(', '),
      })}
    </p>
  )
}

import type { Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { searchConfiguration, searchText, vocabularyOf } from '../search-text.ts'
import { textIn } from '../stored-json.ts'
import { sortKey } from '../text-normalization.ts'
import { lineageOf, type PreparedProduct, type WritableStore } from './product-write-context.ts'
import { addToVocabulary, countWords, type NamedProduct } from './vocabulary.ts'

interface ListingRow {
  readonly product_id: string
  readonly currency: string
  readonly locale: string
  readonly price_min: number
  readonly price_max: number
  readonly published_at: string
  readonly name_key: string
  readonly brand: string | null
  readonly lineage: readonly string[]
  readonly option_values: readonly string[]
}

const INPUT = `jsonb_to_recordset($1::jsonb) as said (product_id text, currency text, locale text, price_min bigint,
  price_max bigint, published_at timestamptz, name_key text, brand text, lineage text[], option_values text[])`

/** Unchanged listings are kept; changed ones are superseded, then inserted again. */
const supersedeListings = statement(
  'catalog.supersede_listings',
  `update listings listing set superseded_by = pg_current_xact_id(), superseded_at = $3
   where listing.product_id = any($2::text[]) and listing.superseded_by is null and not exists (
     select from ${INPUT}
     where (said.product_id, said.currency, said.locale, said.price_min, said.price_max, said.name_key, said.lineage,
         said.option_values, said.published_at)
       = (listing.product_id, listing.currency, listing.locale, listing.price_min, listing.price_max, listing.name_key,
         listing.lineage, listing.option_values, listing.published_at)
       and said.brand is not distinct from listing.brand)`,
)
const addListings = statement(
  'catalog.add_listings',
  `insert into listings (product_id, store_id, currency, locale, price_min, price_max, published_at, name_key, brand,
     lineage, option_values)
   select product_id, $2, currency, locale, price_min, price_max, published_at, name_key, brand, lineage,
     option_values
   from ${INPUT}
   on conflict (product_id, currency, locale) where superseded_by is null do nothing`,
)

const DOCUMENTS = `(
  select product_id, locale,
    setweight(to_tsvector(configuration::regconfig, name), 'A')
      || setweight(to_tsvector(configuration::regconfig, kind), 'B')
      || setweight(to_tsvector(configuration::regconfig, facts), 'C')
      || setweight(to_tsvector(configuration::regconfig, description), 'D')
      || array_to_tsvector(codes) as document,
    name_length, kind_length, facts_length, description_length, accessories, product_name, currencies
  from jsonb_to_recordset($1::jsonb) as text (product_id text, locale text, configuration text, name text, kind text,
    facts text, description text, codes text[], name_length smallint, kind_length smallint, facts_length smallint,
    description_length smallint, accessories text[], product_name text, currencies text[])
) as said`
const DOCUMENT_COLUMNS =
  'document, name_length, kind_length, facts_length, description_length, accessories, product_name, currencies'
const supersedeDocuments = statement(
  'catalog.supersede_documents',
  `update search_documents kept set superseded_by = pg_current_xact_id(), superseded_at = $3
   where kept.product_id = any($2::text[]) and kept.superseded_by is null and not exists (
     select from ${DOCUMENTS}
     where said.product_id = kept.product_id and said.locale = kept.locale and said.document = kept.document
       and said.name_length = kept.name_length and said.kind_length = kept.kind_length
       and said.facts_length = kept.facts_length and said.description_length = kept.description_length
       and said.product_name = kept.product_name and said.currencies = kept.currencies
       and said.accessories is not distinct from kept.accessories)`,
)
const addDocuments = statement(
  'catalog.add_documents',
  `insert into search_documents (product_id, store_id, locale, ${DOCUMENT_COLUMNS})
   select product_id, $2, locale, ${DOCUMENT_COLUMNS} from ${DOCUMENTS}
   on conflict (product_id, locale) where superseded_by is null do nothing`,
)
const supersedeForeign = (table: string) =>
  statement(
    `catalog.supersede_foreign_${table}`,
    `update ${table} set superseded_by = pg_current_xact_id(), superseded_at = $3
     where store_id = $1 and superseded_by is null and locale <> all($2::text[])`,
  )
const supersedeForeignListings = supersedeForeign('listings')
const supersedeForeignDocuments = supersedeForeign('search_documents')
const addMissingListings = statement(
  'catalog.add_missing_listings',
  `insert into listings (product_id, store_id, currency, locale, price_min, price_max, published_at, name_key, brand,
     lineage, option_values)
   select distinct on (product_id, currency, missing) product_id, store_id, currency, missing, price_min, price_max,
     published_at, name_key, brand, lineage, option_values
   from listings cross join unnest($2::text[]) as missing
   where store_id = $1 and superseded_by is null
   order by product_id, currency, missing, array_position($2::text[], locale)
   on conflict (product_id, currency, locale) where superseded_by is null do nothing`,
)
const addMissingDocuments = statement(
  'catalog.add_missing_documents',
  `insert into search_documents (product_id, store_id, locale, ${DOCUMENT_COLUMNS})
   select distinct on (product_id, missing) product_id, store_id, missing, ${DOCUMENT_COLUMNS}
   from search_documents cross join unnest($2::text[]) as missing
   where store_id = $1 and superseded_by is null
   order by product_id, missing, array_position($2::text[], locale)
   on conflict (product_id, locale) where superseded_by is null do nothing`,
)

/**
 * Adapts a store's listings to its current locales. In a new locale, products are listed with the texts of the store's first
 * locale until they are written again.
 */
export function relistInLocales(
  tx: Transaction,
  store: { readonly id: string; readonly locales: readonly string[] },
  now: Date,
): void {
  tx.write(addMissingListings, [store.id, store.locales])
  tx.write(addMissingDocuments, [store.id, store.locales])
  tx.write(supersedeForeignListings, [store.id, store.locales, now])
  tx.write(supersedeForeignDocuments, [store.id, store.locales, now])
}

/** Updates listings, search documents and vocabulary of written products. */
export function writeListings(
  tx: Transaction,
  store: WritableStore,
  products: readonly PreparedProduct[],
  now: Date,
): void {
  const productIds = products.map((product) => product.id)
  const published = products.filter((product) => product.status === 'published')

  const listings = JSON.stringify(published.flatMap((product) => listingsOf(product, store)))
  tx.write(supersedeListings, [listings, productIds, now])
  tx.write(addListings, [listings, store.id])

  writeDocuments(tx, store, published, productIds, now)
  addToVocabulary(tx, store.id, countWords(published.map(namesOf)))
}

function namesOf({ draft, categories }: PreparedProduct): NamedProduct {
  return {
    names: Object.values(draft.texts).map((text) => text.name),
    brand: draft.brand,
    categories: categories.flatMap((category) => category.names.flatMap((each) => Object.values(each))),
  }
}

type SearchedProduct = Pick<PreparedProduct, 'id' | 'slug' | 'draft' | 'categories'>

/** Updates the search documents of products after a category was renamed, and adds its names to the vocabulary. */
export function writeSearchDocuments(
  tx: Transaction,
  store: WritableStore,
  products: readonly SearchedProduct[],
  { names, now }: { readonly names: readonly string[]; readonly now: Date },
): void {
  writeDocuments(
    tx,
    store,
    products,
    products.map(({ id }) => id),
    now,
  )
  addToVocabulary(tx, store.id, new Map(vocabularyOf(names).map((word) => [word, products.length])))
}

function writeDocuments(
  tx: Transaction,
  store: WritableStore,
  shown: readonly SearchedProduct[],
  productIds: readonly string[],
  now: Date,
): void {
  const documents = JSON.stringify(shown.flatMap((product) => documentsOf(product, store)))
  tx.write(supersedeDocuments, [documents, productIds, now])
  tx.write(addDocuments, [documents, store.id])
}

function listingsOf(product: PreparedProduct, store: WritableStore): readonly ListingRow[] {
  const { id, draft } = product
  return currenciesOf(product).flatMap((currency) => {
    const priced = draft.skus.flatMap((sku) => {
      const price = sku.prices.find((each) => each.currency === currency)
      return price === undefined ? [] : [{ ...sku, amount: price.amount }]
    })
    const amounts = priced.map((sku) => sku.amount)
    const values = priced.flatMap((sku) => Object.entries(sku.optionValues).map(([name, value]) => `${name}=${value}`))
    const common = {
      product_id: id,
      currency,
      price_min: Math.min(...amounts),
      price_max: Math.max(...amounts),
      published_at: product.publishedAt,
      brand: draft.brand,
      lineage: lineageOf(product.categories),
      option_values: [...new Set(values)].sort(),
    }
    return store.locales.map((locale) => ({ ...common, locale, name_key: sortKey(nameIn(product, locale, store)) }))
  })
}

/** The currencies that a product is listed in. */
function currenciesOf({ draft }: SearchedProduct): readonly string[] {
  return [...new Set(draft.skus.flatMap((sku) => sku.prices.map((price) => price.currency)))].sort()
}

function nameIn({ draft }: SearchedProduct, locale: string, store: WritableStore): string {
  const names = Object.fromEntries(Object.entries(draft.texts).map(([each, text]) => [each, text.name]))
  return textIn(names, locale, store.locales[0]!) ?? draft.slug
}

function documentsOf(product: SearchedProduct, store: WritableStore) {
  const { id, draft } = product
  const currencies = currenciesOf(product)
  return store.locales.map((locale) => {
    const text = draft.texts[locale] ?? draft.texts[store.locales[0]!] ?? Object.values(draft.texts)[0]
    const name = text?.name ?? draft.slug
    const label = (texts: Readonly<Record<string, string>> | undefined) => textIn(texts, locale, store.locales[0]!)
    return {
      product_id: id,
      locale,
      configuration: searchConfiguration(locale),
      product_name: name,
      currencies,
      ...searchText(
        {
          name,
          slug: product.slug,
          subtitle: text?.subtitle,
          description: text?.description,
          brand: draft.brand,
          codes: [
            ...new Set(draft.skus.flatMap(({ code, barcode }) => [code, ...(barcode === undefined ? [] : [barcode])])),
          ],
          categoryNames: product.categories.flatMap((category) => category.names.map((names) => label(names) ?? '')),
          attributes: draft.attributes.map(({ key, labels, value }) => ({
            key,
            label: label(labels) ?? key,
            value: typeof value === 'object' ? (label(value) ?? '') : value,
          })),
        },
        locale,
      ),
    }
  })
}

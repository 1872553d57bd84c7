import type { Product, ProductSummary, Sku } from '@vitrine/sdk'
import type { Answer } from '../app.tsx'
import { storeBy } from '../stores.ts'
import { wordFor } from '../texts/index.ts'
import {
  ButtonWithoutScript,
  CHOICES_MAX,
  Empty,
  Facts,
  Form,
  Link,
  numbers,
  Select,
  useVisit,
} from '../ui/elements.tsx'
import { Breadcrumbs, categoryPath, type Page } from '../ui/layout.tsx'
import { Before, Picture, ProductGrid, productPath, structuredProduct } from '../ui/products.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { accessTo, href, isRefused, orNull, type Visit } from '../visit.ts'

/** A product with its options, pictures and buy form. A password-protected store redirects to its password form. */
export async function productPage(visit: Visit, merchantSlug: string, productSlug: string): Promise<Answer> {
  const { client, locale, currency, country } = visit
  const query = { locale, currency, country }
  const access = accessTo(visit, merchantSlug)
  try {
    const list = (filter: { limit: number; product?: string[] }) =>
      client.listStoreProducts(
        { params: { slug: merchantSlug }, query: { ...query, ...filter, facets: ['none'] } },
        access,
      )
    const [product, newest, isSoldHere] = await Promise.all([
      client.getStoreProduct({ params: { merchantSlug, productSlug }, query }, access),
      list({ limit: 5 }),
      sellsHere(visit, merchantSlug),
    ])
    const { relatedProductIds: ids = [] } = product
    const named = ids.length === 0 ? [] : (await list({ limit: ids.length, product: ids })).data
    const related = ids.flatMap((id) => named.find((each) => each.id === id) ?? [])
    const others = newest.data.filter(({ id }) => id !== product.id).slice(0, 4)
    return {
      title: product.seo.title ?? product.name,
      description: product.seo.description ?? product.subtitle,
      canonical: href(visit, productPath(product)),
      image: product.images[0]?.url,
      structured: [structuredProduct(visit, product)],
      main: <ProductView product={product} related={related} others={others} isSoldHere={isSoldHere} />,
    }
  } catch (error) {
    if (isRefused(error, 'store_access_required')) return href(visit, `/stores/${merchantSlug}`)
    if (isRefused(error, 'not_found')) return notSoldPage(visit, { merchantSlug, productSlug })
    throw error
  }
}

/** Whether carts of this shop can have products of a store. Those of a password-protected one are sold only with its own key. */
async function sellsHere(visit: Visit, slug: string): Promise<boolean> {
  if (!accessTo(visit, slug).storeAccess) return true
  const [store, key] = await Promise.all([storeBy(visit, slug), visit.client.getApiKeyIdentity()])
  return store?.access.mode === 'open' || key.store?.slug === slug
}

/** The page of a product that is not sold in the visitor's currency or country, or `null` if there is no such product. */
async function notSoldPage(
  visit: Visit,
  params: { readonly merchantSlug: string; readonly productSlug: string },
): Promise<Page | null> {
  const { client, locale, country, currency, texts, formats } = visit
  const find = (query: object) =>
    orNull(client.getStoreProduct({ params, query: { locale, ...query } }, accessTo(visit, params.merchantSlug)))
  const inCountry = await find({ country })
  const product = inCountry ?? (await find({}))
  if (!product) return null
  const text = inCountry ? texts.notInCurrencyHere(currency) : texts.notInCountry(formats.country(country))
  return { title: product.name, main: <Empty title={product.name} text={text} /> }
}

interface ProductViewProps {
  product: Product
  /** The related products that the store has chosen. */
  related: readonly ProductSummary[]
  /** The newest other products of the store, shown if there are no related ones. */
  others: readonly ProductSummary[]
  isSoldHere: boolean
}

function ProductView({ product, related, others, isSoldHere }: ProductViewProps) {
  const visit = useVisit()
  const { texts, formats, categories } = visit
  const { name, subtitle, store, rating } = product
  const chosen = chosenOptions(visit, product)
  const sku = product.skus.find(({ optionValues }) => isSame(optionValues, chosen)) ?? null
  const category = product.categoryIds.map((id) => categories.get(id)).find(Boolean)
  return (
    <>
      <Breadcrumbs trail={[...(category ? [{ name: category.name, path: categoryPath(category) }] : []), { name }]} />
      <article class="product">
        <Gallery product={product} sku={sku} />
        <div class="buy">
          <p class="small">
            <Link to={`/stores/${store.slug}`}>{store.name}</Link>
          </p>
          <h1>{name}</h1>
          {subtitle && <p class="lead">{subtitle}</p>}
          {rating && (
            <p class="small">
              <svg class="star" viewBox="0 0 20 20" aria-hidden="true">
                <path d="m10 1.5 2.6 5.6 6 .7-4.5 4.1 1.2 6L10 14.9l-5.3 3 1.2-6L1.4 7.8l6-.7z" />
              </svg>{' '}
              {texts.rating(formats.decimal(rating.average), rating.count)}
            </p>
          )}
          <Price product={product} sku={sku} />
          <Options product={product} chosen={chosen} />
          <BuyForm product={product} sku={sku} isSoldHere={isSoldHere} />
          <Details product={product} />
        </div>
      </article>
      {related.length > 0 ? (
        <ProductSection heading={texts.related} products={related} />
      ) : (
        <ProductSection heading={texts.moreFromStore} products={others} />
      )}
    </>
  )
}

function ProductSection({ heading, products }: { heading: string; products: readonly ProductSummary[] }) {
  if (products.length === 0) return null
  return (
    <section>
      <h2>{heading}</h2>
      <ProductGrid products={products} />
    </section>
  )
}

function Gallery({ product, sku }: { product: Product; sku: Sku | null }) {
  const others = product.images.filter(({ url }) => url !== sku?.image?.url)
  const [first, ...more] = sku?.image ? [sku.image, ...others] : others
  return (
    <div class="gallery">
      {first && <Picture image={first} isFirst />}
      {more.length > 0 && (
        <ul>
          {more.slice(0, 5).map((image) => (
            <li>
              <Picture image={image} width={200} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Details({ product: { description, attributes, policies } }: { product: Product }) {
  const { texts } = useVisit()
  return (
    <>
      {description && (
        <section class="prose">
          <RichText content={description} />
        </section>
      )}
      {attributes.length > 0 && (
        <details>
          <summary>{texts.details}</summary>
          <Facts
            rows={attributes.map(({ label, value }) => [
              label,
              typeof value === 'boolean' ? (value ? '✓' : '–') : value,
            ])}
          />
        </details>
      )}
      {policies.map(({ title, text }) => (
        <details>
          <summary>{title}</summary>
          <p>{text}</p>
        </details>
      ))}
    </>
  )
}

function Price({ product, sku }: { product: Product; sku: Sku | null }) {
  const { formats, texts } = useVisit()
  return (
    <p class="price large" aria-live="polite">
      {sku ? formats.money(sku.price) : texts.from(formats.money(product.priceRange.min))}{' '}
      {sku?.compareAtPrice && <Before price={sku.compareAtPrice} />}
      <span class="small">{product.taxIncluded ? texts.taxIncluded : texts.taxExcluded}</span>
    </p>
  )
}

/** A choice reloads the page with its picture, price and availability. */
function Options({ product, chosen }: { product: Product; chosen: Readonly<Record<string, string>> }) {
  const { texts, url } = useVisit()
  if (product.options.length === 0) return null
  const exists = (option: Record<string, string>) =>
    product.skus.some(({ optionValues }) => isSame(optionValues, { ...chosen, ...option }))
  return (
    <form action={url.pathname} data-auto class="options">
      {product.options.map(({ id, name, values }) => (
        <fieldset>
          <legend>{name}</legend>
          {values.map(({ value, label }) => (
            <label class={exists({ [id]: value }) ? 'pill' : 'pill gone'}>
              <input type="radio" name={id} value={value} checked={chosen[id] === value} />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
      ))}
      <ButtonWithoutScript>{texts.update}</ButtonWithoutScript>
    </form>
  )
}

function BuyForm({ product, sku, isSoldHere }: { product: Product; sku: Sku | null; isSoldHere: boolean }) {
  const { texts, url } = useVisit()
  if (!sku) return <p class="notice bad">{texts.notCombined}</p>
  if (!isSoldHere) return <p class="notice">{texts.onlyInOwnShop(product.store.name)}</p>
  const { minQuantity, maxQuantity, step, availability, availableQuantity } = sku
  const isGone = availability === 'out_of_stock'
  const most = Math.min(maxQuantity, availableQuantity ?? Infinity, minQuantity + (CHOICES_MAX - 1) * step)
  return (
    <Form to="/cart/items" fields={{ skuId: sku.id, back: url.pathname + url.search }} class="add">
      <p class={`stock ${availability}`}>{wordFor(texts.availability, availability)}</p>
      {!isGone && (
        <p class="row">
          <Select label={texts.quantity} name="quantity" options={numbers(minQuantity, most, step)} />
          <button type="submit">{texts.addToCart}</button>
        </p>
      )}
      <p class="small">{texts.soldBy(product.store.name)}</p>
    </Form>
  )
}

/** The options in the URL, otherwise those of the first SKU that is in stock. */
function chosenOptions({ url }: Visit, { options, skus }: Product): Record<string, string> {
  const usual = (skus.find(({ availability }) => availability !== 'out_of_stock') ?? skus[0])?.optionValues ?? {}
  return Object.fromEntries(
    options.flatMap(({ id, values }) => {
      const asked = url.searchParams.get(id)
      const value = values.some((each) => each.value === asked) ? asked : usual[id]
      return value ? [[id, value]] : []
    }),
  )
}

const isSame = (one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>) =>
  Object.keys({ ...one, ...other }).every((key) => one[key] === other[key])

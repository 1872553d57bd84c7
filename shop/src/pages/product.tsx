import type { Product, Sku } from '@vitrine/sdk'
import { wordFor } from '../texts/index.ts'
import { Breadcrumbs, categoryHref, type Page } from '../ui/layout.tsx'
import { Before, Picture, ProductGrid, productPath, structuredProduct } from '../ui/products.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { accessTo, href, type Visit } from '../visit.ts'

/** A product with its options, pictures and the button to buy it. */
export async function productPage(visit: Visit, merchantSlug: string, productSlug: string): Promise<Page> {
  const { client, locale, currency, country, texts } = visit
  const market = { locale, currency, country }
  const access = accessTo(visit, merchantSlug)
  const [product, others] = await Promise.all([
    client.call('getStoreProduct', { params: { merchantSlug, productSlug }, query: market }, access),
    client.call(
      'listStoreProducts',
      { params: { slug: merchantSlug }, query: { ...market, limit: 5, facets: ['none'] } },
      access,
    ),
  ])
  const chosen = chosenOptions(visit, product)
  const sku = product.skus.find(({ optionValues }) => isSame(optionValues, chosen)) ?? null
  const category = product.categoryIds.map((id) => visit.categories.get(id)).find(Boolean)
  const images = sku?.image
    ? [sku.image, ...product.images.filter(({ url }) => url !== sku.image?.url)]
    : product.images
  const related = others.data.filter(({ id }) => id !== product.id).slice(0, 4)

  const main = (
    <>
      <Breadcrumbs
        visit={visit}
        trail={[
          ...(category ? [{ name: category.name, href: categoryHref(visit, category) }] : []),
          { name: product.name },
        ]}
      />
      <article class="product">
        <div class="gallery">
          {images[0] && <Picture image={images[0]} isFirst />}
          {images.length > 1 && (
            <ul>
              {images.slice(1, 6).map((image) => (
                <li>
                  <Picture image={image} sizes={200} />
                </li>
              ))}
            </ul>
          )}
        </div>
        <div class="buy">
          <p class="small">
            <a href={href(visit, `/stores/${product.store.slug}`)}>{product.store.name}</a>
          </p>
          <h1>{product.name}</h1>
          {product.subtitle && <p class="lead">{product.subtitle}</p>}
          {product.rating && (
            <p class="small">
              <svg class="star" viewBox="0 0 20 20" aria-hidden="true">
                <path d="m10 1.5 2.6 5.6 6 .7-4.5 4.1 1.2 6L10 14.9l-5.3 3 1.200-6L1.4 7.8l6-.7z" />
              </svg>{' '}
              {texts.rating(visit.formats.decimal(product.rating.average), product.rating.count)}
            </p>
          )}
          <Price visit={visit} product={product} sku={sku} />
          <Options visit={visit} product={product} chosen={chosen} />
          <BuyForm visit={visit} product={product} sku={sku} />
          <Details visit={visit} product={product} />
        </div>
      </article>
      {related.length > 0 && (
        <section>
          <h2>{texts.related}</h2>
          <ProductGrid visit={visit} products={related} />
        </section>
      )}
    </>
  )
  return {
    title: product.seo.title ?? product.name,
    description: product.seo.description ?? product.subtitle,
    canonical: href(visit, productPath(product)),
    image: images[0]?.url,
    structured: [structuredProduct(visit, product)],
    main,
  }
}

function Details({ visit: { texts }, product }: { visit: Visit; product: Product }) {
  return (
    <>
      {product.description && (
        <section class="prose">
          <RichText content={product.description} />
        </section>
      )}
      {product.attributes.length > 0 && (
        <details>
          <summary>{texts.details}</summary>
          <dl>
            {product.attributes.map(({ label, value }) => (
              <div>
                <dt>{label}</dt>
                <dd>{value === true ? '✓' : value === false ? '–' : value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {product.policies.map(({ title, text }) => (
        <details>
          <summary>{title}</summary>
          <p>{text}</p>
        </details>
      ))}
    </>
  )
}

function Price({ visit, product, sku }: { visit: Visit; product: Product; sku: Sku | null }) {
  const { formats, texts } = visit
  const before = sku?.compareAtPrice
  return (
    <p class="price large" aria-live="polite">
      {sku ? formats.money(sku.price) : texts.from(formats.money(product.priceRange.min))}{' '}
      {before && <Before visit={visit} price={before} />}
      <span class="small">{product.taxIncluded ? texts.taxIncluded : texts.taxExcluded}</span>
    </p>
  )
}

/** A choice reloads the page with its picture, price and availability. */
function Options({
  visit,
  product,
  chosen,
}: {
  visit: Visit
  product: Product
  chosen: Readonly<Record<string, string>>
}) {
  if (product.options.length === 0) return null
  return (
    <form action={visit.url.pathname} data-auto class="options">
      {product.options.map(({ id, name, values }) => (
        <fieldset>
          <legend>{name}</legend>
          {values.map(({ value, label }) => {
            const exists = product.skus.some(({ optionValues }) => isSame(optionValues, { ...chosen, [id]: value }))
            return (
              <label class={exists ? 'pill' : 'pill gone'}>
                <input type="radio" name={id} value={value} checked={chosen[id] === value} />
                <span>{label}</span>
              </label>
            )
          })}
        </fieldset>
      ))}
      <noscript>
        <button type="submit" class="quiet">
          {visit.texts.update}
        </button>
      </noscript>
    </form>
  )
}

function BuyForm({ visit, product, sku }: { visit: Visit; product: Product; sku: Sku | null }) {
  const { texts, url } = visit
  if (!sku) return <p class="notice bad">{texts.notCombined}</p>
  const isGone = sku.availability === 'out_of_stock'
  const most = Math.min(sku.maxQuantity, sku.availableQuantity ?? 10, 10 * sku.step)
  const quantities = Array.from({ length: 10 }, (_, index) => sku.minQuantity + index * sku.step).filter(
    (each) => each <= most,
  )
  return (
    <form method="post" action={href(visit, '/cart/items')} class="add">
      <input type="hidden" name="skuId" value={sku.id} />
      <input type="hidden" name="back" value={url.pathname + url.search} />
      <p class={isGone ? 'stock gone' : 'stock'}>{wordFor(texts.availability, sku.availability)}</p>
      {!isGone && (
        <p class="row">
          <label>
            {texts.quantity}
            <select name="quantity">
              {quantities.map((each) => (
                <option>{each}</option>
              ))}
            </select>
          </label>
          <button type="submit">{texts.addToCart}</button>
        </p>
      )}
      <p class="small">
        {texts.soldBy} {product.store.name}
      </p>
    </form>
  )
}

/** The options of the address, else those of the first SKU that can be bought. */
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

import type { Money, Product, ProductSummary } from '@vitrine/sdk'
import { wordFor } from '../texts/index.ts'
import { href, type Visit } from '../visit.ts'

export const productPath = ({ store, slug }: Pick<ProductSummary, 'store' | 'slug'>) => `/p/${store.slug}/${slug}`

/** Product cards. The first row is loaded first. */
export function ProductGrid({ visit, products }: { visit: Visit; products: readonly ProductSummary[] }) {
  return (
    <ul class="products">
      {products.map((product, index) => (
        <li>
          <ProductCard visit={visit} product={product} isFirst={index < 4} />
        </li>
      ))}
    </ul>
  )
}

function ProductCard({ visit, product, isFirst }: { visit: Visit; product: ProductSummary; isFirst: boolean }) {
  const { texts, formats } = visit
  const { thumbnail, priceRange, compareAtPriceRange: before, availability, store } = product
  const price = formats.money(priceRange.min)
  const isRange = priceRange.max.amount > priceRange.min.amount
  return (
    <article class="card">
      <div class="picture">
        {thumbnail && <Picture image={thumbnail} isFirst={isFirst} sizes={400} />}
        {before && <span class="badge sale">−{percentOff(before.min, priceRange.min)} %</span>}
        {availability !== 'in_stock' && <span class="badge">{wordFor(texts.availability, availability)}</span>}
      </div>
      <h3>
        <a href={href(visit, productPath(product))}>{product.name}</a>
      </h3>
      <p class="small">{store.name}</p>
      <p class="price">
        {isRange ? texts.from(price) : price} {before && <Before visit={visit} price={before.min} />}
      </p>
    </article>
  )
}

export function Picture({
  image,
  isFirst = false,
  sizes,
}: {
  image: NonNullable<ProductSummary['thumbnail']>
  isFirst?: boolean
  sizes?: number
}) {
  const { url, alt, width, height } = image
  const loading = isFirst ? ({ fetchpriority: 'high' } as const) : ({ loading: 'lazy', decoding: 'async' } as const)
  return (
    <img
      src={url}
      alt={alt}
      width={sizes ?? width}
      height={sizes ? Math.round((sizes * height) / width) : height}
      {...loading}
    />
  )
}

/** A price that was asked before. */
export function Before({ visit: { texts, formats }, price }: { visit: Visit; price: Money }) {
  return (
    <s>
      <span class="visually-hidden">{texts.was}</span> {formats.money(price)}
    </s>
  )
}

const percentOff = (before: Money, now: Money) => Math.round((1 - now.amount / before.amount) * 100)

/** The structured data of a product. @see https://schema.org/Product */
export function structuredProduct(visit: Visit, product: Product): object {
  const url = visit.shop.config.url + href(visit, productPath(product))
  const STATES = { out_of_stock: 'OutOfStock', preorder: 'PreOrder', backorder: 'BackOrder' } as const
  const offers = product.skus.map(({ code, price, availability }) => ({
    '@type': 'Offer',
    url,
    sku: code,
    price: decimalOf(price),
    priceCurrency: price.currency,
    availability: `https://schema.org/${STATES[availability as keyof typeof STATES] ?? 'InStock'}`,
    seller: { '@type': 'Organization', name: product.store.name },
  }))
  return {
    '@type': 'Product',
    name: product.name,
    url,
    image: product.images.map((image) => image.url),
    description: product.description?.text ?? product.subtitle,
    ...(product.brand && { brand: { '@type': 'Brand', name: product.brand } }),
    ...(product.rating && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: product.rating.average,
        reviewCount: product.rating.count,
      },
    }),
    offers,
  }
}

/** An amount in major units, as feeds and structured data want it. */
export function decimalOf({ amount, currency }: Money): string {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return (amount / 10 ** maximumFractionDigits).toFixed(maximumFractionDigits)
}

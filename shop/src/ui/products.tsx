import type { Image, Money, Product, ProductSummary } from '@vitrine/sdk'
import { digitsOf } from '../market.ts'
import { wordFor } from '../texts/index.ts'
import { href, type Visit } from '../visit.ts'
import { Link, useVisit } from './elements.tsx'

export const productPath = ({ store, slug }: Pick<ProductSummary, 'store' | 'slug'>) => `/p/${store.slug}/${slug}`

/** Product cards. The first `eager` of them are visible without scrolling, and are loaded first. */
export function ProductGrid({ products, eager = 0 }: { products: readonly ProductSummary[]; eager?: number }) {
  return (
    <ul class="products">
      {products.map((product, index) => (
        <li>
          <ProductCard product={product} isEager={index < eager} />
        </li>
      ))}
    </ul>
  )
}

function ProductCard({ product, isEager }: { product: ProductSummary; isEager: boolean }) {
  const { texts, formats } = useVisit()
  const { thumbnail, priceRange, compareAtPriceRange, availability, store } = product
  const price = formats.money(priceRange.min)
  const isRange = isOfSeveral(priceRange)
  // With several prices, the lowest one and the lowest former one may be of different variants.
  const before = isRange || isOfSeveral(compareAtPriceRange) ? undefined : compareAtPriceRange?.min
  return (
    <article class="card">
      <div class="picture">
        {thumbnail && <Picture image={thumbnail} width={400} isEager={isEager} />}
        {before && <span class="badge sale">−{percentOff(before, priceRange.min)} %</span>}
        {availability !== 'in_stock' && <span class="badge">{wordFor(texts.availability, availability)}</span>}
      </div>
      <h3>
        <Link to={productPath(product)}>{product.name}</Link>
      </h3>
      <p class="small">{store.name}</p>
      <p class="price">
        {isRange ? texts.from(price) : price} {before && <Before price={before} />}
      </p>
    </article>
  )
}

function isOfSeveral(range: ProductSummary['compareAtPriceRange']): boolean {
  return range !== undefined && range.max.amount > range.min.amount
}

interface PictureProps {
  readonly image: Image
  /** The width in pixels. The browser reserves the space until the picture is loaded. */
  readonly width?: number
  /** Visible without scrolling: not loaded lazily. */
  readonly isEager?: boolean
  /** The largest picture that is visible without scrolling: loaded before anything else. */
  readonly isFirst?: boolean
}

/** Pictures from an imported table have URLs without sizes, which are stored as 1 × 1. They get a square frame. */
const isUnmeasured = ({ width, height }: Pick<Image, 'width' | 'height'>) => width === 1 && height === 1
const UNMEASURED_WIDTH = 800

export function Picture({
  image: { url, alt, sources = [], ...size },
  width = isUnmeasured(size) ? UNMEASURED_WIDTH : size.width,
  isEager,
  isFirst,
}: PictureProps) {
  const height = Math.round((width * size.height) / size.width)
  const loading = isFirst || isEager ? 'eager' : 'lazy'
  const picture = (
    <img
      class={isUnmeasured(size) ? 'unmeasured' : undefined}
      src={url}
      alt={alt}
      width={width}
      height={height}
      loading={loading}
      fetchpriority={isFirst ? 'high' : undefined}
    />
  )
  if (sources.length === 0) return picture
  return (
    <picture>
      {sources.map(({ type, srcset }) => (
        <source key={type} type={type} srcset={srcset} sizes={`(max-width: ${width}px) 100vw, ${width}px`} />
      ))}
      {picture}
    </picture>
  )
}

/** The former price. */
export function Before({ price }: { price: Money }) {
  const { texts, formats } = useVisit()
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

/** An amount in major units, for feeds and structured data. */
export function decimalOf({ amount, currency }: Money): string {
  const digits = digitsOf(currency)
  return (amount / 10 ** digits).toFixed(digits)
}

/** The share of the products that cost no more than each cut. */
const SHARES = [0.2, 0.4, 0.6, 0.8]

/** Prices of one bucket differ only in these bits. The loops avoid divisions and branches, which would take longer than all the rest. */
const BITS = 11
const WIDTH = 2 ** BITS
const BUCKETS = 65_536
const LAST_LOWEST = (BUCKETS - 1) * WIDTH
/** Up to this many prices are sorted instead of counted. */
const SORTED_MAX = 4096

/** The prices that divide the products at these places into five equal parts, as PostgreSQL's `percentile_disc` chooses them. */
export function priceCuts(prices: ArrayLike<number>, places: Uint32Array): number[] {
  if (places.length === 0) return []
  const ranks = SHARES.map((share) => Math.ceil(share * places.length) - 1)
  if (places.length <= SORTED_MAX) {
    const sorted = Float64Array.from(places, (place) => prices[place]!).sort()
    return ranks.map((rank) => sorted[rank]!)
  }
  const counts = countsOfBuckets(prices, places)
  const found = ranks.map((rank) => bucketAt(counts, rank))
  const sorted = sortedIn([...new Set(found.map(({ bucket }) => bucket))], prices, places)
  return found.map(({ bucket, rest }) => sorted.get(bucket)!(rest))
}

function countsOfBuckets(prices: ArrayLike<number>, places: Uint32Array): Uint32Array {
  const counts = new Uint32Array(BUCKETS)
  for (let index = 0; index < places.length; index += 1) counts[bucketOf(prices[places[index]!]!)]! += 1
  return counts
}

/** The counts of each price, in one column per bucket. */
function countsOfPrices(
  prices: ArrayLike<number>,
  places: Uint32Array,
  columnOf: Uint8Array,
  columns: number,
): Uint32Array {
  const counts = new Uint32Array(columns * WIDTH)
  for (let index = 0; index < places.length; index += 1) {
    const price = prices[places[index]!]!
    counts[(columnOf[bucketOf(price)]! << BITS) + (price & (WIDTH - 1))]! += 1
  }
  return counts
}

function bucketOf(price: number): number {
  return Math.min(price * (1 / WIDTH), BUCKETS - 1) >>> 0
}

/** The bucket that a rank is in, and the rank within the bucket. */
function bucketAt(counts: Uint32Array, rank: number): { readonly bucket: number; readonly rest: number } {
  let rest = rank
  let bucket = 0
  while (rest >= counts[bucket]!) {
    rest -= counts[bucket]!
    bucket += 1
  }
  return { bucket, rest }
}

/** Finds the prices of some buckets by rank: from counts, except in the last bucket, which has no upper bound. */
function sortedIn(
  buckets: readonly number[],
  prices: ArrayLike<number>,
  places: Uint32Array,
): ReadonlyMap<number, (rank: number) => number> {
  // The prices of all other buckets are counted too, in an extra column: a branch would cost more.
  const columnOf = new Uint8Array(BUCKETS).fill(buckets.length)
  for (const [column, bucket] of buckets.entries()) columnOf[bucket] = column
  const counts = countsOfPrices(prices, places, columnOf, buckets.length + 1)
  const sortedLast = buckets.includes(BUCKETS - 1) ? sortedInLast(prices, places) : []
  return new Map(
    buckets.map((bucket, column) => {
      const own = counts.subarray(column * WIDTH, (column + 1) * WIDTH)
      const isLast = bucket === BUCKETS - 1
      return [bucket, (rank) => (isLast ? sortedLast[rank]! : bucket * WIDTH + bucketAt(own, rank).bucket)]
    }),
  )
}

function sortedInLast(prices: ArrayLike<number>, places: Uint32Array): ArrayLike<number> {
  const last = Array.from(places, (place) => prices[place]!).filter((price) => price >= LAST_LOWEST)
  return Float64Array.from(last).sort()
}

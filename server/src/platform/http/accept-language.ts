const RANGES_MAX = 10
const LANGUAGE_RANGE = /^(?:\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)$/i

/**
 * The language ranges of an Accept-Language header in the caller's order of preference, without those with `q=0`.
 *
 * @see RFC 9110 §12.5.4
 */
export function readAcceptLanguage(header: string | undefined): readonly string[] {
  if (!header) return []
  const ranges = header.split(',', RANGES_MAX).map((part) => {
    const [range = '', ...parameters] = part.trim().split(';')
    const weight = parameters.map((each) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(each)?.[1]).find(Boolean)
    return { range: range.trim(), weight: weight === undefined ? 1 : Number(weight) }
  })
  return ranges
    .filter(({ range, weight }) => weight > 0 && LANGUAGE_RANGE.test(range))
    .toSorted((left, right) => right.weight - left.weight)
    .map(({ range }) => range)
}

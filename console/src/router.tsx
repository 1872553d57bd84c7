import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** The current location: path and query, as in the address bar. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) })
const watchers = new Set<() => void>()
addEventListener('popstate', () => {
  for (const tell of watchers) tell()
})

/** Navigates to a page of the console. `replace` adds no history entry: for filters. */
export function go(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  for (const tell of watchers) tell()
  if (!replace) scrollTo(0, 0)
}

/** The current location. The component renders again when it changes. */
export function usePlace(): Place {
  const [place, setPlace] = useState(here)
  useEffect(() => {
    const look = () => setPlace(here())
    watchers.add(look)
    return () => void watchers.delete(look)
  }, [])
  return place
}

/** One query parameter. Filters live in the URL, so a view can be shared by its link. */
export function useParameter(name: string): readonly [string, (value: string) => void] {
  const { path, query } = usePlace()
  return [
    query.get(name) ?? '',
    (value) => {
      const next = new URLSearchParams(location.search)
      if (value === '') next.delete(name)
      else next.set(name, value)
      if (name !== 'cursor') next.delete('cursor')
      go(next.size > 0 ? `${path}?${next}` : path, { replace: name !== 'cursor' })
    },
  ]
}

interface LinkProps {
  readonly to: string
  readonly class?: string
  readonly 'aria-current'?: 'page'
  readonly children?: ComponentChildren
}

/** A link to a page of the console. */
export function Link({ to, children, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        go(to)
      }}
    >
      {children}
    </a>
  )
}

/** The values of `:names` in a pattern such as `/orders/:orderId`, or `null` if the path does not match. */
export function matched(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split('/')
  const found = path.split('/')
  if (wanted.length !== found.length) return null
  const values: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = found[index] as string
    if (part.startsWith(':')) values[part.slice(1)] = decodeURIComponent(value)
    else if (part !== value) return null
  }
  return values
}

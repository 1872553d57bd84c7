import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** The current location: path and query, as in the address bar. */
export interface RouteLocation {
  readonly path: string
  readonly query: URLSearchParams
}

const currentLocation = (): RouteLocation => ({ path: location.pathname, query: new URLSearchParams(location.search) })
const listeners = new Set<() => void>()
addEventListener('popstate', () => {
  for (const notify of listeners) notify()
})

/** Navigates to a page of the console. `replace` adds no history entry: for filters. */
export function navigate(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  for (const notify of listeners) notify()
  if (!replace) scrollTo(0, 0)
}

/** The current location. The component renders again when it changes. */
export function useRouteLocation(): RouteLocation {
  const [current, setCurrent] = useState(currentLocation)
  useEffect(() => {
    const update = () => setCurrent(currentLocation())
    listeners.add(update)
    return () => void listeners.delete(update)
  }, [])
  return current
}

/** One query parameter. Filters live in the URL, so a view can be shared by its link. */
export function useQueryParameter(name: string): readonly [string, (value: string) => void] {
  const { path, query } = useRouteLocation()
  return [
    query.get(name) ?? '',
    (value) => {
      const next = new URLSearchParams(location.search)
      if (value === '') next.delete(name)
      else next.set(name, value)
      if (name !== 'cursor') next.delete('cursor')
      navigate(next.size > 0 ? `${path}?${next}` : path, { replace: name !== 'cursor' })
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
        navigate(to)
      }}
    >
      {children}
    </a>
  )
}

/** The values of `:names` in a pattern such as `/orders/:orderId`, or `null` if the path does not match. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const expected = pattern.split('/')
  const actual = path.split('/')
  if (expected.length !== actual.length) return null
  const values: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const value = actual[index] as string
    if (part.startsWith(':')) values[part.slice(1)] = decodeURIComponent(value)
    else if (part !== value) return null
  }
  return values
}

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Where the console stands: path and query, as the address bar shows them. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) })
const watchers = new Set<() => void>()
addEventListener('popstate', () => {
  for (const tell of watchers) tell()
})

/** Goes to a page of the console. `replace` leaves no step back: for filters, which are no places. */
export function go(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  for (const tell of watchers) tell()
  if (!replace) scrollTo(0, 0)
}

/** Where the console stands now. */
export function usePlace(): Place {
  const [place, setPlace] = useState(here)
  useEffect(() => {
    const look = () => setPlace(here())
    watchers.add(look)
    return () => void watchers.delete(look)
  }, [])
  return place
}

/** One parameter of the address, kept there so that a page can be sent to a colleague as it is seen. */
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

/** The values of `:names` in a pattern such as `/orders/:orderId`, or `null` where the path is another one. */
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

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** The current location: path and query, as in the address bar. */
export interface RouteLocation {
  readonly path: string
  readonly query: URLSearchParams
}

const currentLocation = (): RouteLocation => ({ path: location.pathname, query: new URLSearchParams(location.search) })
const listeners = new Set<() => void>()

/** Asks whether the page may be left. `null`: nothing would be lost, so there is no question. */
type LeaveGuard = () => Promise<boolean> | null
let guard: LeaveGuard = () => null

/** Sets the guard that is called before another page is opened. */
export function guardLeaving(next: LeaveGuard): void {
  guard = next
}

/** The URL of the page that is shown. When `popstate` fires, `location` already has the next one. */
let shown = location.href

/** The place of the shown entry in the history. An entry that has none is new, such as that of a link within the page. */
let place = placeOf() ?? 0
setPlace()
const placeOfEntry = () => placeOf() ?? place + 1

function placeOf(): number | undefined {
  return (history.state as { readonly place?: number } | null)?.place
}

function setPlace(): void {
  history.replaceState({ ...(history.state as object | null), place }, '')
}

function show(): void {
  shown = location.href
  place = placeOfEntry()
  setPlace()
  for (const notify of listeners) notify()
}

/** What the next `popstate` does that the console itself has caused. */
let expected: (() => void) | null = null

addEventListener('popstate', () => {
  const act = expected
  expected = null
  if (act) return act()
  const question = location.pathname === new URL(shown).pathname ? null : guard()
  if (!question) return show()
  // The entry of the page is shown again until the answer. All entries stay, those after it as well.
  const steps = placeOfEntry() - place
  const returned = new Promise<void>((resolve) => {
    expected = resolve
  })
  history.go(-steps)
  void Promise.all([question, returned]).then(([mayLeave]) => {
    if (!mayLeave) return
    expected = show
    history.go(steps)
  })
})

/** Opens a page without the question about unsaved changes. */
export function go(to: string, state: object = {}): void {
  history.pushState({ ...state, place: place + 1 }, '', to)
  show()
  scrollTo(0, 0)
}

interface NavigateOptions {
  /** Adds no history entry: for filters. */
  readonly replace?: boolean
  /** Kept with the history entry, also after a reload. */
  readonly state?: object
}

/** Navigates to a page of the console. */
export function navigate(to: string, { replace = false, state = {} }: NavigateOptions = {}): void {
  if (replace) {
    history.replaceState({ ...state, place }, '', to)
    show()
    return
  }
  leave(() => go(to, state))
}

/** Does what replaces the page, after the question about unsaved changes. `stay`: called if they are kept. */
export function leave(act: () => void, stay: () => void = () => {}): void {
  const question = guard()
  if (question) void question.then((mayLeave) => (mayLeave ? act() : stay()))
  else act()
}

/** Chooses what the page shows, after the question about unsaved changes. If they are kept, the key resets the control. */
export function useGuardedChoice(): readonly [key: number, choose: (act: () => void) => void] {
  const [kept, setKept] = useState(0)
  return [kept, (act) => leave(act, () => setKept(kept + 1))]
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
export function useQueryParameter(name: string): readonly [string, (value: string, state?: object) => void] {
  const { path, query } = useRouteLocation()
  return [
    query.get(name) ?? '',
    (value, state) => {
      const next = new URLSearchParams(location.search)
      if (value === '') next.delete(name)
      else next.set(name, value)
      if (name !== 'cursor') next.delete('cursor')
      navigate(next.size > 0 ? `${path}?${next}` : path, { replace: name !== 'cursor', ...(state && { state }) })
    },
  ]
}

interface LinkProps {
  readonly to: string
  readonly class?: string
  readonly 'aria-current'?: 'page' | 'true'
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

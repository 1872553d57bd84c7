import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** The current location: path and query, as in the address bar. */
interface RouteLocation {
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

/** What the console keeps with an entry of the history, also over a reload. */
interface Entry {
  readonly place?: number
  /** The path and query of the entry before, from which this one was opened. */
  readonly from?: string
  /** How far the page was scrolled when it was left. */
  readonly scroll?: number
}
const entry = () => history.state as Entry | null

/** The place of the shown entry in the history. An entry that has none is new, such as that of a link within the page. */
let place = placeOf() ?? 0
setPlace()
const placeOfEntry = () => placeOf() ?? place + 1

function placeOf(): number | undefined {
  return entry()?.place
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

function keepScroll(): void {
  history.replaceState({ ...entry(), scroll: scrollY }, '')
}
// A reload. What changes the history later, in `pagehide`, is lost.
addEventListener('beforeunload', keepScroll)

/** Scrolls to where the entry was left, once: for a page whose content has arrived, which is too late for the browser. */
export function restoreScroll(): void {
  const { scroll, ...kept } = entry() ?? {}
  if (scroll === undefined) return
  history.replaceState(kept, '')
  scrollTo(0, scroll)
}

/** Opens a page without the question about unsaved changes. */
export function go(to: string, state: object = {}): void {
  const from = `${location.pathname}${location.search}`
  keepScroll()
  history.pushState({ ...state, from, place: place + 1 }, '', to)
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
    history.replaceState({ ...state, from: entry()?.from, place }, '', to)
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

const isPlainClick = ({ defaultPrevented, button, metaKey, ctrlKey, shiftKey }: MouseEvent) =>
  !defaultPrevented && button === 0 && !metaKey && !ctrlKey && !shiftKey

/** A link to the list of a page. The list from which the page was opened is shown as it was left: its filters, page and scroll. */
export function BackLink({ to, children }: Pick<LinkProps, 'to' | 'children'>) {
  const from = entry()?.from
  if (from === undefined || from.split('?')[0] !== to) return <Link to={to}>{children}</Link>
  return (
    <a
      href={from}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        history.back()
      }}
    >
      {children}
    </a>
  )
}

/** A link to a page of the console. */
export function Link({ to, children, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        navigate(to)
      }}
    >
      {children}
    </a>
  )
}

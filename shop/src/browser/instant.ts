/**
 * Makes the shop feel instant: links and forms of this site replace the content of the page instead of loading it, a
 * link is fetched when the pointer rests on it or is pressed, choices submit their form, and the search suggests during
 * typing. Without this script everything works by plain links and forms.
 */

const KEPT_MS = 10_000
const TYPING_MS = 120
/** A pointer that only passes over a link rests for less time. */
const RESTING_MS = 80
const fetched = new Map<string, { readonly page: Promise<Response>; readonly at: number }>()
let current: AbortController | null = null

const isOwn = (url: URL) => url.origin === location.origin

/** The page of a link: the prefetched response, or a new one. */
function pageOf(url: string, signal?: AbortSignal): Promise<Response> {
  const known = fetched.get(url)
  fetched.delete(url)
  if (known && Date.now() - known.at < KEPT_MS) return known.page
  return fetch(url, signal ? { signal } : {})
}

/** Prefetches the page of a link, unless the visitor saves data. */
function prefetch(link: HTMLAnchorElement | null): void {
  const { connection } = navigator as Navigator & { connection?: { readonly saveData?: boolean } }
  const known = link && fetched.get(link.href)
  if (!link || connection?.saveData || (known && Date.now() - known.at < KEPT_MS)) return
  const page = fetch(link.href)
  fetched.set(link.href, { page, at: Date.now() })
  // After a failure, a click on the link fetches it again.
  page.catch(() => fetched.delete(link.href))
}

type Entry = 'pushState' | 'replaceState'

/**
 * Replaces the content of the page with a response. Other sites, and responses without HTML, are opened as usual.
 *
 * @param top how far the visitor had scrolled
 */
async function show(
  answer: Promise<Response>,
  { entry = 'pushState' as Entry, keepsPlace = false, top = 0 } = {},
): Promise<void> {
  const response = await answer
  const url = new URL(response.url)
  if (!isOwn(url) || !response.headers.get('content-type')?.startsWith('text/html'))
    return location.assign(response.url)
  const next = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (url.href !== location.href) {
    if (entry === 'pushState') history.replaceState({ top: scrollY }, '')
    history[entry](null, '', url)
  }
  const focused = keepsPlace ? selectorOf(document.activeElement) : null
  const swap = () => {
    document.title = next.title
    document.documentElement.lang = next.documentElement.lang
    for (const selector of ['main', 'header.top', 'footer']) {
      const [old, fresh] = [document.querySelector(selector), next.querySelector(selector)]
      if (old && fresh) old.replaceWith(fresh)
    }
    refresh()
    showLocalTimes()
    const place = document.querySelector<HTMLElement>(focused ?? 'main [aria-invalid]')
    if (place) return place.focus()
    if (keepsPlace) return
    scrollTo(0, top)
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
  }
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (document.startViewTransition && !isCalm) document.startViewTransition(swap)
  else swap()
}

/** Reloads a page that waits for something, as long as it is shown. */
function refresh(): void {
  const main = document.querySelector<HTMLElement>('main[data-refresh]')
  if (!main) return
  const again = () => {
    if (main.isConnected) show(fetch(location.href), { entry: 'replaceState', keepsPlace: true }).catch(refresh)
  }
  setTimeout(again, Number(main.dataset.refresh) * 1000)
}
refresh()

/** The server does not know the visitor's time zone. */
function showLocalTimes(): void {
  for (const time of document.querySelectorAll('time')) {
    const { date, time: ofDay } = time.dataset
    const style = { dateStyle: date, timeStyle: ofDay } as Intl.DateTimeFormatOptions
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, style).format(new Date(time.dateTime))
  }
}
showLocalTimes()

/** A selector that finds the same form field in the next page: each line of a cart has a form of its own. */
function selectorOf(element: Element | null): string | null {
  const action = element?.closest('form')?.getAttribute('action')
  const form = action ? `form[action="${CSS.escape(action)}"] ` : ''
  if (element instanceof HTMLInputElement)
    return `${form}input[name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]`
  return element instanceof HTMLSelectElement ? `${form}select[name="${CSS.escape(element.name)}"]` : null
}

function run(work: (signal: AbortSignal) => Promise<void>, fallback: () => void): void {
  current?.abort()
  const mine = new AbortController()
  current = mine
  document.body.toggleAttribute('data-busy', true)
  work(mine.signal)
    .catch((error: unknown) => {
      if (!mine.signal.aborted) {
        console.warn(error)
        fallback()
      }
    })
    .finally(() => {
      if (current === mine) document.body.toggleAttribute('data-busy', false)
    })
}

function linkOf(event: Event): HTMLAnchorElement | null {
  const link = (event.target as Element).closest?.('a')
  if (!link || link.target || link.download || link.dataset.reload !== undefined || !isOwn(new URL(link.href)))
    return null
  // The browser handles an anchor on the same page.
  return link.hash && link.pathname === location.pathname ? null : link
}

let resting: ReturnType<typeof setTimeout> | undefined
addEventListener('pointerover', (event) => {
  clearTimeout(resting)
  const link = event.pointerType === 'mouse' ? linkOf(event) : null
  if (link) resting = setTimeout(() => prefetch(link), RESTING_MS)
})
addEventListener('pointerdown', (event) => {
  if (event.button === 0) prefetch(linkOf(event))
})

addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return
  const link = linkOf(event)
  if (!link) return
  event.preventDefault()
  run(
    (signal) => show(pageOf(link.href, signal)),
    () => location.assign(link.href),
  )
})

addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (form.dataset.reload !== undefined || !isOwn(new URL(form.action))) return
  event.preventDefault()
  const submitter = event.submitter as HTMLButtonElement | null
  const keepsPlace = submitter === null
  const data = new URLSearchParams(new FormData(form, submitter) as never)
  if (form.method === 'get') {
    const url = new URL(form.action)
    url.search = new URLSearchParams([...data].filter(([, value]) => value !== '')).toString()
    return run(
      (signal) => show(pageOf(url.href, signal), { keepsPlace }),
      () => form.submit(),
    )
  }
  // Prefetched pages show the state before the change.
  fetched.clear()
  // A second press must not send it again.
  for (const button of form.querySelectorAll('button')) button.disabled = true
  run(
    () => show(fetch(form.action, { method: 'POST', body: data }), { keepsPlace }),
    () => sayUnknown(form),
  )
})

/** Says that the connection failed. What was typed stays. */
function sayUnknown(form: HTMLFormElement): void {
  for (const button of form.querySelectorAll('button')) button.disabled = false
  form.querySelector('[role="alert"]')?.remove()
  const notice = document.createElement('p')
  notice.className = 'notice bad'
  notice.role = 'alert'
  notice.textContent = document.body.dataset.unknown ?? ''
  form.append(notice)
}

addEventListener('change', (event) => {
  const form = (event.target as HTMLInputElement).form
  if (form?.dataset.auto !== undefined) form.requestSubmit()
})

addEventListener('popstate', ({ state }) =>
  run(
    (signal) => show(pageOf(location.href, signal), { entry: 'replaceState', top: state?.top }),
    () => location.reload(),
  ),
)

let typing: ReturnType<typeof setTimeout> | undefined
addEventListener('input', (event) => {
  const field = event.target as HTMLInputElement
  const source = field.dataset.suggest
  if (!source) return
  clearTimeout(typing)
  typing = setTimeout(() => void suggest(field, source), TYPING_MS)
})

async function suggest(field: HTMLInputElement, source: string): Promise<void> {
  const query = field.value
  const response = await fetch(`${source}?q=${encodeURIComponent(query)}`)
  if (!response.ok || field.value !== query) return
  field.form?.querySelector('.suggestions')?.remove()
  const box = document.createElement('div')
  box.className = 'suggestions'
  // The server of the shop has escaped it.
  box.innerHTML = await response.text()
  if (box.querySelector('a')) field.form?.append(box)
}

addEventListener('keydown', (event) => {
  const box = document.querySelector('.suggestions')
  if (!box) return
  const links = [...box.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  if (event.key === 'Escape') {
    box.remove()
    document.querySelector<HTMLElement>('#q')?.focus()
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    const next = links[at + (event.key === 'ArrowDown' ? 1 : -1)]
    ;(next ?? document.querySelector<HTMLElement>('#q'))?.focus()
  }
})

addEventListener('focusin', (event) => {
  if (!(event.target as Element).closest('.search')) document.querySelector('.suggestions')?.remove()
})

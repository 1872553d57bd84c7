import type { OperatorSession } from '@vitrine/contract/operator'
import type { FunctionComponent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from './api.ts'
import { MENU, type PageEntry, type PageProps } from './page.ts'
import { Palette } from './palette.tsx'
import { Link, matchPath, navigate, useRouteLocation } from './router.tsx'
import { routes } from './routes.ts'
import { ErrorNotice } from './ui/notice.tsx'
import { Page } from './ui/page.tsx'

/** Not scrollIntoView: in Chromium the next Tab would start from the entry instead of the top of the page. */
function scrollToCurrent(menu: HTMLElement) {
  const entry = menu.querySelector('[aria-current]')?.getBoundingClientRect()
  const frame = menu.getBoundingClientRect()
  if (!entry) return
  if (entry.top < frame.top) menu.scrollTop -= frame.top - entry.top
  else if (entry.bottom > frame.bottom) menu.scrollTop += entry.bottom - frame.bottom
}

/** The frame of every page: header, menu, page search and the page itself. */
export function Shell({
  session,
  onSignedOut,
}: {
  readonly session: OperatorSession
  readonly onSignedOut: () => void
}) {
  const { path } = useRouteLocation()
  const [palette, setPalette] = useState(false)
  const main = useRef<HTMLElement>(null)
  const menu = useRef<HTMLDetailsElement>(null)
  const aside = useRef<HTMLElement>(null)
  const hasArrived = useRef(false)
  useEffect(() => {
    // On the first page the focus stays at the top, at the link that skips the menu.
    if (hasArrived.current) main.current?.focus()
    hasArrived.current = true
    // On a narrow screen the menu covers the page; a wide one shows it always.
    menu.current?.removeAttribute('open')
    // If the window is too low for the whole menu, the current entry is still visible.
    if (aside.current) scrollToCurrent(aside.current)
  }, [path])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setPalette(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <Link to="/" class="name">
          Vitrine
        </Link>
        <button type="button" class="quiet" onClick={() => setPalette(true)}>
          Go to page <kbd>Ctrl K</kbd>
        </button>
        <details class="menu" ref={menu}>
          <summary>Menu</summary>
          <Menu path={path} />
          <p class="small">{session.operator.email}</p>
          <button type="button" class="quiet" onClick={() => void call('signOut').then(onSignedOut)}>
            Sign out
          </button>
        </details>
      </header>
      <div class="frame">
        <aside ref={aside}>
          <Menu path={path} />
          <p class="small">{session.operator.email}</p>
          <button type="button" class="quiet" onClick={() => void call('signOut').then(onSignedOut)}>
            Sign out
          </button>
        </aside>
        <main id="main" ref={main} tabIndex={-1}>
          <CurrentPage path={path} />
        </main>
      </div>
      {palette && <Palette onClose={() => setPalette(false)} />}
    </>
  )
}

function Menu({ path }: { readonly path: string }) {
  return (
    <nav aria-label="Main menu">
      {MENU.map((group) => {
        const entries = routes.filter(({ menu }) => menu === group)

        return (
          <section key={group}>
            {entries.length > 1 && <h2>{group}</h2>}
            <ul>
              {entries.map((entry) => (
                <li key={entry.path}>
                  <Link to={entry.path} {...(isIn(entry, path) && { 'aria-current': 'page' })}>
                    {entry.title}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </nav>
  )
}

function isIn(entry: PageEntry, path: string): boolean {
  return entry.path === '/' ? path === '/' : path === entry.path || path.startsWith(`${entry.path}/`)
}

function CurrentPage({ path }: { readonly path: string }) {
  const entry = routes.find((each) => matchPath(each.path, path))
  const [shown, setShown] = useState<{ path: string; Component: FunctionComponent<PageProps> } | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    setError(null)
    entry?.load().then((Component) => setShown({ path: entry.path, Component }), setError)
  }, [entry])
  if (!entry) {
    return (
      <Page title="Page not found" lead="The address may be outdated or mistyped.">
        <button type="button" onClick={() => navigate('/')}>
          Go to dashboard
        </button>
      </Page>
    )
  }
  if (error) return <ErrorNotice error={error} retry={() => location.reload()} />
  if (shown?.path !== entry.path) return <p class="lead">Loading…</p>
  return <shown.Component key={path} params={matchPath(entry.path, path) ?? {}} />
}

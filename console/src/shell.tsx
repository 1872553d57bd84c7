import type { OperatorSession } from '@vitrine/contract/operator'
import type { FunctionComponent } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { call } from './api.ts'
import { type Environment, switchEnvironment, useEnvironment, useEnvironmentInUrl } from './environment.ts'
import { translate } from './language.ts'
import { LanguageSelect } from './language-select.tsx'
import { matchPath } from './match-path.ts'
import { useMay } from './may.ts'
import { Dropdown, listAt, Menu, pageAt, Tabs } from './menu.tsx'
import { Access, isOpen, type PageProps, Placeholder } from './page.ts'
import { ProofDialog } from './pages/session/proof-dialog.tsx'
import { Palette } from './palette.tsx'
import { go, Link, leave, navigate, useRouteLocation } from './router.tsx'
import { loadStores } from './stores.ts'
import { useAction } from './ui/hooks/use-action.ts'
import { Icon } from './ui/icon.tsx'
import { LoadingPage, Outdated } from './ui/loading.tsx'
import { ErrorNotice } from './ui/notice.tsx'
import { Page } from './ui/page.tsx'
import { QuestionDialog } from './ui/question.tsx'
import { Toasts } from './ui/toast.tsx'
import { useWork, Work } from './work.ts'

const SHORTCUT = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : translate('Ctrl K')

/** Not scrollIntoView: in Chromium the next Tab would start from the entry instead of the top of the page. */
function scrollToCurrent(menu: HTMLElement) {
  const entry = menu.querySelector('[aria-current]')?.getBoundingClientRect()
  const frame = menu.getBoundingClientRect()
  if (!entry) return
  if (entry.top < frame.top) menu.scrollTop -= frame.top - entry.top
  else if (entry.bottom > frame.bottom) menu.scrollTop += entry.bottom - frame.bottom
}

interface ShellProps {
  readonly session: OperatorSession
  readonly onSignedOut: () => void
}

/** The frame of every page: header, menu, search and the page itself. */
export function Shell({ session, onSignedOut }: ShellProps) {
  const { path } = useRouteLocation()
  const environment = useEnvironment()
  const [isFinding, setFinding] = useState(false)
  const main = useRef<HTMLElement>(null)
  const aside = useRef<HTMLElement>(null)
  const hasArrived = useRef(false)
  const work = useWork(environment, path)
  useEnvironmentInUrl(path, pageAt(path)?.byEnvironment === true)
  useEffect(() => {
    // On the first page the focus stays at the top, at the link that skips the menu.
    if (hasArrived.current) main.current?.focus()
    hasArrived.current = true
    const menu = aside.current
    if (!menu) return
    // Keep the current entry visible if the window is too low for the whole menu, also after either is resized.
    scrollToCurrent(menu)
    const sizes = new ResizeObserver(() => scrollToCurrent(menu))
    for (const each of [menu, ...menu.children]) sizes.observe(each)
    return () => sizes.disconnect()
  }, [path])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setFinding(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <Access.Provider value={session}>
      <Work.Provider value={work}>
        <a class="skip" href="#main">
          {translate('Skip to content')}
        </a>
        <Header
          path={path}
          environment={environment}
          onFind={() => setFinding(true)}
          session={session}
          onSignedOut={onSignedOut}
        />
        <div class="frame">
          <aside ref={aside}>
            <Menu path={path} />
          </aside>
          <main id="main" ref={main} tabIndex={-1}>
            <Tabs path={path} />
            <Outdated />
            <CurrentPage path={path} environment={environment} />
          </main>
        </div>
        {isFinding && <Palette onClose={() => setFinding(false)} />}
        <QuestionDialog />
        <ProofDialog />
        <Toasts />
      </Work.Provider>
    </Access.Provider>
  )
}

interface HeaderProps extends ShellProps {
  readonly path: string
  readonly environment: Environment
  readonly onFind: () => void
}

function Header({ path, environment, onFind, session, onSignedOut }: HeaderProps) {
  const { email } = session.operator
  const top = useRef<HTMLElement>(null)
  const { actionError, run } = useAction(onSignedOut)
  useEffect(() => {
    // Sticky elements begin below the header, whose height varies: the band of the test environment may wrap.
    document.documentElement.style.setProperty('--top', `${top.current?.offsetHeight ?? 0}px`)
  }, [environment])
  return (
    <header class="top" ref={top}>
      <div class="bar">
        <Dropdown class="menu" label={translate('Menu')} path={path} summary={<Icon name="menu" />}>
          <Menu path={path} />
        </Dropdown>
        <Link to="/" class="name">
          Vitrine
        </Link>
        <button type="button" class="finder" onClick={onFind} aria-keyshortcuts="Control+K">
          <Icon name="search" />
          <span>{translate('Search orders, customers, products, pages')}</span>
          <kbd>{SHORTCUT}</kbd>
        </button>
        <EnvironmentSwitch environment={environment} path={path} />
        <Dropdown
          class="account"
          label={translate('Account of {email}', { email })}
          path={path}
          summary={<span class="initial">{email.slice(0, 1)}</span>}
        >
          <p class="small">{email}</p>
          <Link to="/password">{translate('Your account')}</Link>
          <LanguageSelect />
          {actionError ? <ErrorNotice error={actionError} /> : null}
          <button type="button" onClick={() => void run(() => call('signOut'))}>
            {translate('Sign out')}
          </button>
        </Dropdown>
      </div>
      {environment === 'test' && (
        <p class="band">
          <strong>{translate('Test environment')}</strong>
          <span>{translate('Nothing is charged. Live orders, payments and stock are not shown.')}</span>
        </p>
      )}
    </header>
  )
}

interface PlaceProps {
  readonly environment: Environment
  readonly path: string
}

function EnvironmentSwitch({ environment, path }: PlaceProps) {
  const list = listAt(path)
  function choose(chosen: Environment): void {
    // A record belongs to one environment. The other environment shows the list instead.
    const isRecord = list?.byEnvironment && list.path !== path
    const act = () => {
      if (isRecord) go(list.path)
      switchEnvironment(chosen, isRecord || pageAt(path)?.byEnvironment === true)
    }
    // A page of both environments stays, with what was typed.
    if (isRecord || pageAt(path)?.byEnvironment) leave(act)
    else act()
  }
  return (
    <fieldset class="switch">
      <legend class="hidden">{translate('Environment')}</legend>
      {(['live', 'test'] as const).map((each) => (
        <button key={each} type="button" value={each} aria-pressed={each === environment} onClick={() => choose(each)}>
          {each === 'live' ? translate('Live') : translate('Test')}
        </button>
      ))}
    </fieldset>
  )
}

function CurrentPage({ path, environment }: PlaceProps) {
  const entry = pageAt(path)
  const [shown, setShown] = useState<{ path: string; Component: FunctionComponent<PageProps> } | null>(null)
  const [error, setError] = useState<unknown>(null)
  const may = useMay()
  const session = useContext(Access)
  useEffect(() => {
    setError(null)
    if (!entry) return
    // A page that arrives after another was opened must not replace it: that one would load forever.
    let isLatest = true
    const loaded = Promise.all([entry.load(), may('listStores') && loadStores()])
    loaded.then(
      ([Component]) => isLatest && setShown({ path: entry.path, Component }),
      (thrown: unknown) => isLatest && setError(thrown),
    )
    return () => {
      isLatest = false
    }
  }, [entry])
  if (!entry) {
    return (
      <Page title={translate('Page not found')} lead={translate('The address may be outdated or mistyped.')}>
        <div class="actions">
          <button type="button" onClick={() => navigate('/')}>
            {translate('Go to Today')}
          </button>
        </div>
      </Page>
    )
  }
  const list = listAt(path)
  const hasList = list !== undefined && list !== entry && isOpen(list, session)
  const placeholder = { title: entry.title, ...(hasList && { back: { to: list.path, title: list.title } }) }
  // A selection or a search of one environment must not stay in the other.
  const key = entry.byEnvironment ? `${environment} ${path}` : path
  return (
    <Placeholder.Provider value={placeholder}>
      {error || shown?.path !== entry.path ? (
        <LoadingPage error={error} retry={() => location.reload()} />
      ) : (
        <shown.Component key={key} params={matchPath(entry.path, path) ?? {}} />
      )}
    </Placeholder.Provider>
  )
}

import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
import { translate } from './language.ts'
import { matchPath } from './match-path.ts'
import { Access, isOpen, type PageEntry, SECTIONS, type SectionName } from './page.ts'
import { Link } from './router.tsx'
import { routes } from './routes.ts'
import { Icon } from './ui/icon.tsx'
import { openTasks, Work } from './work.ts'

/** The pages of a section that the role of the operator may see. */
function usePages(): (section: SectionName) => readonly PageEntry[] {
  const session = useContext(Access)
  return (section) => routes.filter((page) => page.menu === section && isOpen(page, session))
}

/** The page at a path. */
export function pageAt(path: string): PageEntry | undefined {
  return routes.find((each) => matchPath(each.path, path))
}

/** The menu page of a path: the page itself or, for a record, the list that it belongs to. */
export function listAt(path: string): PageEntry | undefined {
  const page = pageAt(path)
  if (page?.menu) return page
  return routes.find((each) => each.menu && (each.path === page?.list || path.startsWith(`${each.path}/`)))
}

/** The sections, each with the number of open tasks. */
export function Menu({ path }: { readonly path: string }) {
  const work = useContext(Work)?.data
  const current = listAt(path)?.menu
  const pagesOf = usePages()
  return (
    <nav aria-label={translate('Main menu')} class="sections">
      <ul>
        {SECTIONS.map((section) => {
          const pages = pagesOf(section.name)
          const to = pages[0]?.path
          if (to === undefined) return null
          return (
            <li key={section.name} {...('apart' in section && { class: 'apart' })}>
              <Link to={to} {...(section.name === current && { 'aria-current': to === path ? 'page' : 'true' })}>
                <Icon name={section.icon} />
                <span>{section.title}</span>
                <Badge
                  count={openTasks(
                    work,
                    pages.flatMap((page) => page.work ?? []),
                  )}
                />
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** The pages of the current section as tabs. A page below one of them has a back link instead. */
export function Tabs({ path }: { readonly path: string }) {
  const work = useContext(Work)?.data
  const bar = useRef<HTMLElement>(null)
  const page = pageAt(path)
  const pagesOf = usePages()
  const pages = page?.menu ? pagesOf(page.menu) : []
  useEffect(() => {
    // Not scrollIntoView: it moves the element from which the next Tab key continues.
    const tab = bar.current?.querySelector<HTMLElement>('[aria-current]')
    if (tab && bar.current) bar.current.scrollLeft = tab.offsetLeft - bar.current.clientWidth / 3
  }, [path])
  if (pages.length < 2) return null
  return (
    <nav aria-label={SECTIONS.find(({ name }) => name === page?.menu)?.title} class="tabs" ref={bar}>
      <ul>
        {pages.map((each) => (
          <li key={each.path}>
            <Link to={each.path} {...(each === page && { 'aria-current': 'page' })}>
              {each.tab ?? each.title}
              <Badge count={openTasks(work, each.work ?? [])} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Badge({ count }: { readonly count: string | null }) {
  if (count === null) return null
  return (
    <span class="badge">
      {count}
      <span class="hidden"> {translate('waiting')}</span>
    </span>
  )
}

interface DropdownProps {
  readonly class: string
  readonly label: string
  readonly summary: ComponentChildren
  /** The dropdown closes when the path changes. */
  readonly path: string
  readonly children: ComponentChildren
}

/** A button that opens a panel. Escape, a click elsewhere, and a choice close it. */
export function Dropdown({ class: name, label, summary, path, children }: DropdownProps) {
  const details = useRef<HTMLDetailsElement>(null)
  const close = () => details.current?.removeAttribute('open')
  useEffect(close, [path])
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const target = event.target as Element
      if (!details.current?.contains(target) || target.closest('.panel a')) close()
    }
    document.addEventListener('click', onClick)
    return () => document.removeEventListener('click', onClick)
  }, [])
  return (
    <details
      class={`dropdown ${name}`}
      ref={details}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return
        close()
        details.current.querySelector('summary')?.focus()
      }}
    >
      <summary aria-label={label}>{summary}</summary>
      <div class="panel">{children}</div>
    </details>
  )
}

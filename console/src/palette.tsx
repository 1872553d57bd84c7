import { useState } from 'preact/hooks'
import { go } from './router.tsx'
import { routes } from './routes.ts'
import { Dialog } from './ui/dialog.tsx'

/** Opens a page by typing part of its title. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const wanted = typed.toLowerCase()
  const found = routes.filter(({ menu, title }) => menu && title.toLowerCase().includes(wanted))

  function open(path: string | undefined): void {
    if (path === undefined) return
    onClose()
    go(path)
  }

  function onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((at + step + found.length) % Math.max(1, found.length))
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      open(found[at]?.path)
    }
  }

  return (
    <Dialog title="Go to page" onClose={onClose}>
      <input
        type="search"
        aria-label="Page"
        aria-controls="palette-list"
        aria-activedescendant={found[at] ? `palette-${at}` : ''}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKey}
      />
      <div id="palette-list" role="listbox" aria-label="Pages" class="palette">
        {found.map(({ path, title, menu }, index) => (
          <div
            key={path}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => open(path)}
            onKeyDown={onKey}
          >
            {title} <span class="small">{menu}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="small">No pages found.</p>}
    </Dialog>
  )
}

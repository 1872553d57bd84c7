import { useState } from 'preact/hooks'
import { navigate } from './router.tsx'
import { routes } from './routes.ts'
import { Dialog } from './ui/dialog.tsx'

/** Opens a page by typing part of its title. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [selected, setSelected] = useState(0)
  const query = typed.toLowerCase()
  const matches = routes.filter(({ menu, title }) => menu && title.toLowerCase().includes(query))

  function open(path: string | undefined): void {
    if (path === undefined) return
    onClose()
    navigate(path)
  }

  function onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setSelected((selected + step + matches.length) % Math.max(1, matches.length))
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      open(matches[selected]?.path)
    }
  }

  return (
    <Dialog title="Go to page" onClose={onClose}>
      <input
        type="search"
        aria-label="Page"
        aria-controls="palette-list"
        aria-activedescendant={matches[selected] ? `palette-${selected}` : ''}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setSelected(0)
        }}
        onKeyDown={onKey}
      />
      <div id="palette-list" role="listbox" aria-label="Pages" class="palette">
        {matches.map(({ path, title, menu }, index) => (
          <div
            key={path}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === selected}
            onClick={() => open(path)}
            onKeyDown={onKey}
          >
            {title} <span class="small">{menu}</span>
          </div>
        ))}
      </div>
      {matches.length === 0 && <p class="small">No pages found.</p>}
    </Dialog>
  )
}

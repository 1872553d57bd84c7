import './style.css'

/** The script of every page. Search and "Try it" are loaded when they are used. */

for (const block of document.querySelectorAll('.code')) addCopyButton(block)

const opener = document.querySelector<HTMLButtonElement>('[data-search]')
if (opener) {
  opener.hidden = false
  opener.addEventListener('click', () => void openSearch())
  document.addEventListener('keydown', (event) => {
    const isShortcut = event.key === 'k' && (event.ctrlKey || event.metaKey)
    const isSlash = event.key === '/' && !isTyping(event.target)
    if (!isShortcut && !isSlash) return
    event.preventDefault()
    void openSearch()
  })
}

const forms = document.querySelectorAll<HTMLDetailsElement>('details.try')
for (const details of forms) {
  details.addEventListener('toggle', () => void openForm(details), { once: true })
}

/** Scrolls a long menu to the current page. The focus order does not change. */
const menu = document.querySelector<HTMLElement>('#menu')
const current = menu?.querySelector<HTMLElement>('[aria-current]')
if (menu && current) menu.scrollTop = current.offsetTop - menu.clientHeight / 2

// A script cannot be loaded offline, or once the pages were replaced.
async function openSearch(): Promise<void> {
  try {
    const { open } = await import('./search.ts')
    await open(document.body.dataset.root ?? './')
  } catch {
    if (opener) opener.textContent = 'Reload to search'
  }
}

async function openForm(details: HTMLDetailsElement): Promise<void> {
  try {
    const { prepare } = await import('./try-it.ts')
    await prepare(details)
  } catch {
    details.querySelector('.results')?.replaceChildren('This form could not be loaded. Reload the page.')
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

function addCopyButton(block: Element): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(
      () => true,
      () => false,
    )
    button.textContent = isCopied ? 'Copied' : 'Not allowed'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  block.append(button)
}

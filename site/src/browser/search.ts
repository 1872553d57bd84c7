import MiniSearch from 'minisearch'

/** A section of a page. */
interface Entry {
  readonly id: string
  readonly page: string
  readonly title: string
  readonly text: string
}

const RESULTS_MAX = 12
const NOT_LOADED = 'The search could not be loaded. Type another letter to try again.'
const OPTIONS = { prefix: true, fuzzy: 0.2, boost: { title: 3, page: 2 }, combineWith: 'AND' } as const

let dialog: HTMLDialogElement | null = null

/** Opens the search over all pages. */
export async function open(root: string): Promise<void> {
  dialog ??= create(root)
  if (!dialog.open) dialog.showModal()
  dialog.querySelector('input')?.select()
}

function create(root: string): HTMLDialogElement {
  const made = document.createElement('dialog')
  made.className = 'finder'
  made.setAttribute('aria-label', 'Search')
  const input = document.createElement('input')
  input.type = 'search'
  input.placeholder = 'Search operations, guides, errors …'
  input.setAttribute('aria-label', 'Search the documentation')
  const list = document.createElement('ul')
  const count = document.createElement('p')
  count.setAttribute('role', 'status')
  made.append(input, count, list)
  document.body.append(made)
  made.addEventListener('click', (event) => {
    if (event.target === made) made.close()
  })
  // Loaded while the reader types; after a failure, again with the next letter.
  const load = () => finder(root).catch(() => null)
  let finding = load()
  input.addEventListener('input', async () => {
    const find = await finding
    if (find === null) finding = load()
    const isEmpty = input.value.trim() === ''
    const found = isEmpty || find === null ? [] : find(input.value)
    const counted = found.length === 0 ? 'Nothing found.' : `${found.length} found`
    count.textContent = find === null ? NOT_LOADED : isEmpty ? '' : counted
    list.replaceChildren(...found.map((entry) => result(entry, root)))
  })
  made.addEventListener('keydown', (event) => moveFocus(event, made))
  return made
}

async function finder(root: string): Promise<(text: string) => readonly Entry[]> {
  const entries = (await (await fetch(`${root}search.json`)).json()) as readonly Entry[]
  const index = new MiniSearch<Entry>({
    fields: ['title', 'page', 'text'],
    storeFields: ['page', 'title', 'text'],
    // Names in camelCase are found by each of their words as well.
    tokenize: (text) =>
      text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => {
        const parts = word.split(/_|(?<=[a-z])(?=[A-Z])/)
        return parts.length > 1 ? [word, ...parts] : [word]
      }),
  })
  index.addAll(entries as Entry[])
  return (text) =>
    index
      .search(text, OPTIONS)
      .slice(0, RESULTS_MAX)
      .map(({ id, page, title, text: about }) => ({ id, page, title, text: about }))
}

function result({ id, page, title, text }: Entry, root: string): HTMLLIElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = root + id
  const name = document.createElement('b')
  name.textContent = title
  const place = document.createElement('small')
  place.textContent = page === title ? text.slice(0, 110) : `${page}: ${text.slice(0, 90)}`
  link.append(name, place)
  item.append(link)
  return item
}

/** Arrow keys move between the field and the results; Enter in the field opens the first. */
function moveFocus(event: KeyboardEvent, within: HTMLDialogElement): void {
  const stops = [...within.querySelectorAll<HTMLElement>('input, a')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  if (event.key === 'Enter' && at === 0) stops[1]?.click()
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus()
}

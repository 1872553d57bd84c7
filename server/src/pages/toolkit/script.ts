import { createHash } from 'node:crypto'

/**
 * The script of the pages that include it. They work without it: it submits a form when the country changes, and copies text to the
 * clipboard. It reads nothing else and sends nothing.
 */
const source = `
for (const select of document.querySelectorAll('select[data-submits]')) {
  const button = document.getElementById(select.dataset.submits)
  button.hidden = true
  select.addEventListener('change', () => select.form.requestSubmit(button))
}
for (const button of document.querySelectorAll('button[data-copies]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copies)
    button.textContent = button.dataset.copied
  })
}
`

const body = Buffer.from(source.trim())

/** Served under a hash of its content, so it is cached permanently. */
export const script = {
  path: `/assets/${createHash('sha256').update(body).digest('hex').slice(0, 16)}.js`,
  body,
  headers: {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  },
} as const

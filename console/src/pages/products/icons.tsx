const PATHS = {
  left: 'M13 8H3m4-4L3 8l4 4',
  right: 'M3 8h10m-4-4 4 4-4 4',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10m4-4-4 4-4-4',
  remove: 'm4 4 8 8m0-8-8 8',
} as const

/** An icon as SVG: not every system has a font with these characters. Its button has the accessible name. */
export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

/** The addresses of the files of a picture: a pure function of the upload, so that a URL tells which files exist. */

/** The widths of the files, for pictures that are at least as wide. */
const STEPS = [320, 640, 1280, 2048] as const
/** The width of the file that every client can show. */
const MAIN_WIDTH_MAX = 1280
/** The largest width and height of a file. A picture of a size guide can be long. */
export const WIDTH_MAX = 2048
export const HEIGHT_MAX = 4096

/** Media types by file extension. */
const TYPES = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg', png: 'image/png' } as const
/** The types that are offered in each width, the smallest files first. */
const OFFERED = ['avif', 'webp'] as const

/** The same picture in another type, in several widths. */
export interface PictureSource {
  readonly type: string
  readonly srcset: string
}

/** A file of a picture, read from its path. */
interface PictureFile {
  readonly address: string
  readonly name: string
  readonly type: string
}

/** The widths that a picture is offered in, ascending. The last is its own, or the maximum. */
export function widthsOf(width: number): readonly number[] {
  const own = Math.min(width, WIDTH_MAX)
  return [...STEPS.filter((step) => step < own), own]
}

/** The width of the file that every client can show. */
export function mainWidthOf(width: number): number {
  return widthsOf(width).findLast((each) => each <= MAIN_WIDTH_MAX) ?? width
}

/** The file at a path below `/media/`; `null` if no file can have this path. */
export function fileAt(path: string): PictureFile | null {
  const [, address, name, end] = /^([0-9a-f]{32}-[1-9]\d{0,3})\/([1-9]\d{0,3}\.(avif|webp|jpg|png))$/.exec(path) ?? []
  if (address === undefined || name === undefined) return null
  return { address, name, type: TYPES[end as keyof typeof TYPES] }
}

/** The names of all files of a picture. */
export function filesOf({ address, file }: { readonly address: string; readonly file: string }): readonly string[] {
  const widths = widthsOf(Number(address.split('-')[1]))
  return [...widths.flatMap((width) => OFFERED.map((end) => `${width}.${end}`)), file]
}

/** The sources of an uploaded picture by the URL of its main file; none for the URL of any other picture. */
export function sourcesOf(url: string): PictureSource[] {
  const [, folder, width] = /^(.*\/media\/[0-9a-f]{32}-([1-9]\d{0,3}))\/[1-9]\d{0,3}\.(?:jpg|png)$/.exec(url) ?? []
  if (folder === undefined) return []
  const widths = widthsOf(Number(width))
  return OFFERED.map((end) => ({
    type: TYPES[end],
    srcset: widths.map((each) => `${folder}/${each}.${end} ${each}w`).join(', '),
  }))
}

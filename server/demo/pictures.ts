import { createHash } from 'node:crypto'
import { type Backdrop, draw, type Picture } from './drawings/index.ts'

/** A drawn picture with the address that its content gives it. */
export interface DrawnPicture {
  /** Below the pages door. */
  readonly path: `/media/${string}.svg`
  readonly svg: string
}

/** Draws, and names the picture by what it is: another picture never has the same address. */
export function drawn(picture: Picture, backdrop: Backdrop): DrawnPicture {
  const svg = draw(picture, backdrop)
  const hash = createHash('sha256').update(svg).digest('hex').slice(0, 32)
  return { path: `/media/${hash}.svg`, svg }
}

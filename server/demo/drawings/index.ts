import { beanie, blanket, gloves, jacket, scarf, shirt, socks, sweater } from './clothing.ts'
import { chocolate, coffeeBag, dripper, filters, grinder, kettle, press, tin } from './coffee.ts'
import { board, candle, cushion, dispenser, jar, lamp, napkins, planter, soap, towel, vase } from './home.ts'
import { backpack, bottle, hammock, headlamp, lantern, map, mat, sleepingBag, stove, tent, tote } from './outdoor.ts'
import {
  book,
  calendar,
  card,
  download,
  giftCard,
  inkBottle,
  notebook,
  pen,
  penCup,
  pencils,
  poster,
  ream,
  tape,
  tray,
} from './paper.ts'
import { type Backdrop, framed } from './svg.ts'
import { bowl, butterDish, carafe, cup, jug, mug, plate, teapot, tumblers } from './tableware.ts'
import type { Tone } from './tones.ts'

/** Everything that the demo can draw. */
const motifs = {
  backpack,
  beanie,
  blanket,
  board,
  book,
  bottle,
  bowl,
  butterDish,
  calendar,
  candle,
  carafe,
  card,
  chocolate,
  coffeeBag,
  cup,
  cushion,
  dispenser,
  download,
  dripper,
  filters,
  giftCard,
  gloves,
  grinder,
  hammock,
  headlamp,
  inkBottle,
  jacket,
  jar,
  jug,
  kettle,
  lamp,
  lantern,
  map,
  mat,
  mug,
  napkins,
  notebook,
  pen,
  penCup,
  pencils,
  planter,
  plate,
  poster,
  press,
  ream,
  scarf,
  shirt,
  sleepingBag,
  soap,
  socks,
  stove,
  sweater,
  tape,
  teapot,
  tent,
  tin,
  tote,
  towel,
  tray,
  tumblers,
  vase,
}

type Motifs = typeof motifs
export type Motif = keyof Motifs

/** A motif with what it needs to know, as data. */
export type Picture = { [Name in Motif]: { readonly motif: Name } & Parameters<Motifs[Name]>[0] }[Motif]

/** The colour that a picture's ground answers. */
export function leadingTone(picture: Picture): Tone {
  return 'tones' in picture ? (picture.tones[0] ?? 'oat') : picture.tone
}

/** Draws a picture as a whole SVG document. The same picture gives the same bytes on every machine. */
export function draw(picture: Picture, backdrop: Backdrop): string {
  const motif = motifs[picture.motif] as (look: Picture) => string
  return framed(motif(picture), leadingTone(picture), backdrop)
}

export type { Backdrop } from './svg.ts'
export { type Tone, tones } from './tones.ts'

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
import { type Backdrop, framed, nearer } from './svg.ts'
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

/** Small things are drawn nearer, so that a mug fills its picture as a tent does. */
const NEARER: { readonly [Name in Motif]?: number } = {
  beanie: 1.1,
  blanket: 1.15,
  book: 1.08,
  bottle: 1.1,
  bowl: 1.15,
  butterDish: 1.15,
  candle: 1.1,
  carafe: 1.15,
  chocolate: 1.05,
  coffeeBag: 1.12,
  cup: 1.3,
  cushion: 1.1,
  dispenser: 1.25,
  filters: 1.15,
  inkBottle: 1.2,
  jar: 1.2,
  jug: 1.2,
  kettle: 1.1,
  lantern: 1.08,
  map: 1.1,
  mat: 1.1,
  mug: 1.3,
  napkins: 1.15,
  penCup: 1.1,
  pencils: 1.1,
  sleepingBag: 1.1,
  soap: 1.3,
  socks: 1.1,
  stove: 1.1,
  tape: 1.15,
  teapot: 1.15,
  tin: 1.3,
  tote: 1.12,
  tumblers: 1.3,
}

/** Draws a picture as a whole SVG document. The same picture gives the same bytes on every machine. */
export function draw(picture: Picture, backdrop: Backdrop): string {
  const motif = motifs[picture.motif] as (look: Picture) => string
  const thing = nearer(motif(picture), NEARER[picture.motif] ?? 1)
  return framed(thing, leadingTone(picture), backdrop)
}

export type { Backdrop } from './svg.ts'
export { type Tone, tones } from './tones.ts'

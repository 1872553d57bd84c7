import {
  colour,
  darker,
  ellipse,
  GROUND,
  lighter,
  line,
  n,
  type Piece,
  path,
  shadow,
  solid,
  type Turned,
  turned,
} from './svg.ts'
import type { Tone } from './tones.ts'

/** What a potter decides about a piece. */
export interface Glaze {
  readonly tone: Tone
  /** A second glaze, dipped from above. */
  readonly dip?: Tone
  /** The colour of painted bands. */
  readonly bands?: Tone
  readonly speckled?: boolean
}

/** A thrown piece in a glaze: where the dip ends and the bands run depends on the piece. */
export function thrown(
  glaze: Glaze,
  vessel: Omit<Turned, 'tone' | 'dip' | 'bands'>,
  dipShare: number,
  bandsAt: readonly number[],
): Piece {
  return turned({
    ...vessel,
    tone: glaze.tone,
    ...(glaze.dip && { dip: { tone: glaze.dip, share: dipShare } }),
    ...(glaze.bands && { bands: { tone: glaze.bands, at: bandsAt, width: 7 } }),
    ...(glaze.speckled && { speckled: true }),
  })
}

function handle(x: number, upper: number, lower: number, reach: number, tone: Tone, width = 25): Piece {
  const [top, bottom] = [GROUND - upper, GROUND - lower]
  const d = `M${n(x - 6)} ${n(top)}C${n(x + reach)} ${n(top - 16)} ${n(x + reach * 0.95)} ${n(bottom + 8)} ${n(x - 10)} ${n(bottom)}`
  return (
    line(d, darker(tone, 0.22), width) +
    line(d, colour(tone), width - 5) +
    line(d, lighter(tone, 0.3), width * 0.2, 'opacity=".55"')
  )
}

export function steam(cx: number, y: number): Piece {
  return [-36, 0, 36]
    .map((offset, index) =>
      line(`M${n(cx + offset)} ${n(y)}q-18 -24 0 -46t0 -${40 + index * 10}`, '#fff', 7, 'opacity=".7"'),
    )
    .join('')
}

export function mug(
  look: Glaze & { readonly height?: number; readonly width?: number; readonly straight?: boolean },
): Piece {
  const { height = 240, width = 122, straight = false } = look
  const belly = straight ? width : width * 1.06
  return [
    shadow(400, width * 1.2),
    handle(375 + width, height * 0.78, height * 0.26, width * 0.88, look.tone),
    thrown(
      look,
      {
        cx: 375,
        profile: [
          [0, width * 0.8],
          [16, width * 0.93],
          [height * 0.45, belly],
          [height, width],
        ],
      },
      0.52,
      [0.78, 0.7],
    ),
    steam(375, GROUND - height - 50),
  ].join('')
}

export function cup(look: Glaze): Piece {
  const saucer = [
    shadow(400, 190),
    ellipse(400, 618, 190, 36, darker(look.tone, 0.12)),
    ellipse(400, 610, 190, 36, lighter(look.tone, 0.12)),
    ellipse(400, 612, 120, 20, darker(look.tone, 0.1)),
  ].join('')
  return [
    saucer,
    handle(490, 160, 70, 80, look.tone, 21),
    thrown(
      look,
      {
        cx: 400,
        foot: 612,
        profile: [
          [0, 54],
          [12, 66],
          [70, 94],
          [160, 104],
        ],
        inner: '#5a3a28',
      },
      0.45,
      [0.8, 0.7],
    ),
    ellipse(400, 455, 84, 12, '#8a5a3c'),
    steam(400, 410),
  ].join('')
}

export function bowl(look: Glaze & { readonly height?: number; readonly width?: number }): Piece {
  const { height = 150, width = 215 } = look
  return [
    shadow(400, width * 0.85),
    thrown(
      look,
      {
        tilt: 0.22,
        profile: [
          [0, width * 0.36],
          [14, width * 0.4],
          [height * 0.3, width * 0.7],
          [height * 0.62, width * 0.92],
          [height, width],
        ],
      },
      0.5,
      [0.72, 0.62],
    ),
  ].join('')
}

/** A stack, seen a little from above. */
export function plate(
  look: Glaze & { readonly width?: number; readonly stack?: number; readonly oval?: number },
): Piece {
  const { width = 250, stack = 3, oval = 0.34 } = look
  const rim = look.dip ?? look.tone
  const plates = Array.from({ length: stack }, (_, index) => {
    const y = 585 - index * 26
    return [
      ellipse(400, y + 18, width * 0.96, width * oval, darker(look.tone, 0.28)),
      ellipse(400, y + 8, width, width * oval, darker(rim, 0.1)),
      ellipse(400, y, width, width * oval, lighter(rim, 0.16)),
    ].join('')
  }).join('')
  const y = 585 - (stack - 1) * 26
  return [
    ellipse(425, 625, width * 1.2, width * oval, 'url(#shadow)'),
    plates,
    ellipse(400, y + 3, width * 0.82, width * oval * 0.8, colour(look.tone)),
    look.bands
      ? line(
          `M${n(400 - width * 0.88)} ${y}a${n(width * 0.88)} ${n(width * oval * 0.88)} 0 1 0 ${n(width * 1.76)} 0a${n(width * 0.88)} ${n(width * oval * 0.88)} 0 1 0 ${n(-width * 1.76)} 0`,
          colour(look.bands),
          6,
        )
      : '',
    ellipse(400, y + 9, width * 0.7, width * oval * 0.66, lighter(look.tone, 0.14)),
    ellipse(400, y + 3, width * 0.82, width * oval * 0.8, 'url(#flat)'),
    look.speckled
      ? ellipse(330, y + 12, 4, 2.5, '#4a3a30', 'opacity=".35"') +
        ellipse(452, y - 22, 3.4, 2.2, '#4a3a30', 'opacity=".35"') +
        ellipse(480, y + 30, 4, 2.4, '#4a3a30', 'opacity=".35"') +
        ellipse(372, y - 30, 3, 2, '#4a3a30', 'opacity=".35"')
      : '',
  ].join('')
}

export function jug(look: Glaze & { readonly height?: number }): Piece {
  const { height = 320 } = look
  const top = GROUND - height
  return [
    shadow(400, 150),
    handle(478, height * 0.86, height * 0.36, 128, look.tone, 27),
    path(
      `M318 ${n(top + 42)}Q268 ${n(top - 2)} 262 ${n(top - 16)}Q300 ${n(top - 10)} 340 ${n(top - 6)}z`,
      darker(look.dip ?? look.tone, 0.05),
    ),
    thrown(
      look,
      {
        cx: 390,
        profile: [
          [0, 92],
          [18, 108],
          [height * 0.35, 128],
          [height * 0.76, 88],
          [height, 96],
        ],
      },
      0.42,
      [0.66, 0.6],
    ),
  ].join('')
}

export function teapot(look: Glaze & { readonly bamboo?: boolean }): Piece {
  const handled = look.bamboo
    ? line('M292 440C300 250 500 250 508 440', darker('oak', 0.15), 22) +
      line('M292 440C300 250 500 250 508 440', colour('oak'), 16)
    : line('M512 455C640 420 640 590 522 590', darker(look.tone, 0.22), 26) +
      line('M512 455C640 420 640 590 522 590', colour(look.tone), 21)
  return [
    shadow(400, 185),
    handled,
    solid('M285 590C225 575 215 480 172 432L212 416C262 470 262 500 300 510z', look.tone),
    thrown(
      look,
      {
        profile: [
          [0, 96],
          [16, 118],
          [90, 158],
          [160, 138],
          [205, 82],
        ],
        inner: false,
      },
      0.4,
      [0.6, 0.52],
    ),
    ellipse(400, 435, 84, 15, darker(look.tone, 0.18)),
    solid('M320 432Q330 388 400 384T480 432A80 13 0 0 1 320 432z', look.dip ?? look.tone),
    solid('M382 386a18 18 0 1 1 36 0q-18 8 -36 0z', look.bamboo ? 'oak' : (look.dip ?? look.tone)),
  ].join('')
}

/** Three tumblers in a row. */
export function tumblers(look: Glaze): Piece {
  return [
    [300, 0.94],
    [500, 0.94],
    [402, 1.06],
  ]
    .map(
      ([cx, scale], index) =>
        shadow(cx!, 84 * scale!, GROUND - (index < 2 ? 30 : -6)) +
        thrown(
          look,
          {
            cx: cx!,
            foot: GROUND - (index < 2 ? 30 : -6),
            name: `body${index}`,
            profile: [
              [0, 62 * scale!],
              [12, 70 * scale!],
              [90 * scale!, 76 * scale!],
              [170 * scale!, 82 * scale!],
            ],
          },
          0.5,
          [0.75, 0.66],
        ),
    )
    .join('')
}

export function carafe(look: Glaze): Piece {
  return [
    shadow(400, 130),
    thrown(
      look,
      {
        profile: [
          [0, 98],
          [20, 116],
          [120, 124],
          [210, 74],
          [270, 46],
          [340, 50],
          [372, 66],
        ],
      },
      0.38,
      [0.5, 0.44],
    ),
  ].join('')
}

/** A shallow dish with a bell-shaped cover. */
export function butterDish(look: Glaze): Piece {
  return [
    ellipse(415, 640, 280, 40, 'url(#shadow)'),
    ellipse(400, 622, 245, 44, darker(look.tone, 0.2)),
    ellipse(400, 610, 245, 44, lighter(look.tone, 0.2)),
    solid('M222 604C222 470 260 462 400 462S578 470 578 604A178 30 0 0 1 222 604z', look.dip ?? look.tone),
    solid('M372 464q-6 -46 28 -48t28 48q-28 8 -56 0z', look.dip ?? look.tone),
  ].join('')
}

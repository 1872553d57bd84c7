import {
  closedCurve,
  colour,
  darker,
  ellipse,
  GROUND,
  inside,
  lighter,
  line,
  mix,
  n,
  type Piece,
  path,
  polygon,
  rounded,
  scatter,
  shadow,
  solid,
} from './svg.ts'
import { type Glaze, thrown } from './tableware.ts'
import type { Tone } from './tones.ts'

/** The silhouettes that the potter throws: heights from the foot, half-widths. */
const VASES = {
  bottle: [
    [0, 84],
    [20, 104],
    [120, 128],
    [215, 92],
    [290, 36],
    [350, 34],
    [372, 46],
  ],
  moon: [
    [0, 70],
    [26, 122],
    [130, 168],
    [235, 120],
    [268, 58],
    [290, 60],
  ],
  column: [
    [0, 78],
    [14, 88],
    [180, 92],
    [320, 86],
    [340, 92],
  ],
  flare: [
    [0, 66],
    [20, 82],
    [120, 92],
    [220, 70],
    [300, 76],
    [350, 124],
  ],
  gourd: [
    [0, 84],
    [24, 118],
    [95, 132],
    [170, 78],
    [225, 74],
    [285, 92],
    [330, 58],
    [348, 62],
  ],
} as const

export type Stems = 'none' | 'eucalyptus' | 'grass' | 'blossom'

export function vase(look: Glaze & { readonly shape: keyof typeof VASES; readonly stems?: Stems }): Piece {
  const profile = VASES[look.shape]
  const [height, mouth] = profile.at(-1)!
  return [
    shadow(400, Math.max(...profile.map(([, half]) => half))),
    stems(look.stems ?? 'none', 400, GROUND - height, mouth),
    thrown(look, { profile, name: 'vase', tilt: 0.15 }, 0.4, [0.62, 0.56, 0.5]),
    frontRim(look, GROUND - height, mouth),
  ].join('')
}

/** The near side of the rim, drawn again so that stems stand inside. */
function frontRim(look: Glaze, y: number, half: number): Piece {
  return line(
    `M${n(400 - half + 2)} ${n(y)}A${n(half - 2)} ${n(half * 0.15)} 0 0 0 ${n(400 + half - 2)} ${n(y)}`,
    lighter(look.dip ?? look.tone, 0.28),
    6,
  )
}

function stems(kind: Stems, x: number, y: number, mouth: number): Piece {
  if (kind === 'none') return ''
  const lean = [-1.5, -0.5, 0.4, 1.35]
  return lean
    .map((share, index) => stem(kind, x + share * mouth * 0.3, y + 8, x + share * 105, y - 165 - ((index * 53) % 70)))
    .join('')
}

function stem(kind: Exclude<Stems, 'none'>, x: number, y: number, toX: number, toY: number): Piece {
  const green = kind === 'grass' ? '#b39a63' : kind === 'blossom' ? '#7b6450' : '#6f8468'
  const bend = `M${n(x)} ${n(y)}Q${n(x + (toX - x) * 0.25)} ${n(y + (toY - y) * 0.6)} ${n(toX)} ${n(toY)}`
  const parts = Array.from({ length: kind === 'blossom' ? 6 : 7 }, (_, index) => {
    const t = 0.34 + index * 0.11
    const px = (1 - t) ** 2 * x + 2 * (1 - t) * t * (x + (toX - x) * 0.25) + t * t * toX
    const py = (1 - t) ** 2 * y + 2 * (1 - t) * t * (y + (toY - y) * 0.6) + t * t * toY
    const side = index % 2 === 0 ? -1 : 1
    if (kind === 'eucalyptus')
      return ellipse(px + side * 19, py - 4, 20 - index, 14 - index * 0.6, side < 0 ? '#8ea389' : '#7c947a')
    if (kind === 'blossom')
      return ellipse(px + side * 10, py, 10, 10, '#f3dfd6') + ellipse(px + side * 10, py, 3.5, 3.5, '#cf8f78')
    return line(`M${n(px)} ${n(py)}q${side * 16} -14 ${side * 20} -38`, '#c9b27c', 5)
  })
  return line(bend, green, 4.5) + parts.join('')
}

export type Plant = 'monstera' | 'snake' | 'trailing' | 'cactus'

export function planter(
  look: Glaze & { readonly plant: Plant; readonly height?: number; readonly width?: number },
): Piece {
  const { height = 190, width = 128 } = look
  const top = GROUND - height
  return [
    shadow(400, width * 1.05),
    look.plant === 'trailing' ? '' : PLANTS[look.plant](top),
    thrown(
      look,
      {
        profile: [
          [0, width * 0.72],
          [height * 0.5, width * 0.88],
          [height, width],
        ],
        inner: '#5b4636',
      },
      0.5,
      [0.7, 0.6],
    ),
    look.plant === 'trailing' ? PLANTS.trailing(top) : '',
    look.plant === 'trailing'
      ? ''
      : line(
          `M${n(402 - width)} ${n(top)}A${n(width - 2)} ${n(width * 0.17)} 0 0 0 ${n(398 + width)} ${n(top)}`,
          lighter(look.dip ?? look.tone, 0.28),
          6,
        ),
  ].join('')
}

const PLANTS: Record<Plant, (top: number) => Piece> = {
  snake: (top) =>
    [
      [-62, -210],
      [-24, -290],
      [22, -250],
      [62, -180],
      [4, -170],
    ]
      .map(([dx, dy], index) => {
        const [x, tipX, tipY] = [400 + dx! * 0.6, 400 + dx! * 1.3, top + dy!]
        const d = `M${n(x - 24)} ${top + 14}Q${n(tipX - 34)} ${n(top + dy! * 0.5)} ${n(tipX)} ${n(tipY)}Q${n(tipX + 26)} ${n(top + dy! * 0.45)} ${n(x + 24)} ${top + 14}z`
        return (
          path(d, index % 2 ? '#5f7f5d' : '#6d8f68') +
          line(
            `M${n(x)} ${top}Q${n(tipX - 4)} ${n(top + dy! * 0.5)} ${n(tipX)} ${n(tipY + 20)}`,
            '#a9bd84',
            5,
            'opacity=".7"',
          )
        )
      })
      .join(''),
  monstera: (top) =>
    [
      [-128, -150, -28],
      [118, -170, 30],
      [-52, -250, -10],
      [56, -268, 14],
      [6, -150, 4],
    ]
      .map(([dx, dy, turn], index) => {
        const [x, y] = [400 + dx!, top + dy!]
        const leaf = `M0 62C-70 50 -82 -30 0 -78C82 -30 70 50 0 62z`
        return (
          line(`M400 ${top + 10}Q${n(400 + dx! * 0.3)} ${n(top + dy! * 0.5)} ${n(x)} ${n(y + 40)}`, '#5d7a58', 7) +
          `<g transform="translate(${n(x)} ${n(y)}) rotate(${turn! * 1.4})">${path(leaf, index % 2 ? '#587a59' : '#6a8d66')}${line('M0 60V-62M0 20L-38 2M0 20L38 2M0 -12L-34 -28M0 -12L34 -28', '#9db58c', 3.5, 'opacity=".7"')}</g>`
        )
      })
      .join(''),
  trailing: (top) =>
    [-104, -62, -14, 34, 78, 108]
      .map((dx, index) => {
        const drop = [96, 168, 60, 190, 122, 70][index]!
        const side = Math.sign(dx) * 16
        const beads = Array.from({ length: Math.floor(drop / 22) + 2 }, (_, bead) =>
          ellipse(
            400 + dx + side * (bead / 5) + (bead % 2 ? 8 : -8),
            top - 6 + bead * 22,
            14,
            12,
            bead % 2 ? '#7d9a76' : '#92ad88',
          ),
        )
        return line(`M${400 + dx} ${top}q${side} ${drop / 2} ${side} ${drop}`, '#6f8c69', 4) + beads.join('')
      })
      .join('') +
    [-80, -40, 0, 40, 80]
      .map((dx, index) => ellipse(400 + dx, top - 14 - (index % 2) * 12, 34, 24, index % 2 ? '#8aa681' : '#76946f'))
      .join(''),
  cactus: (top) =>
    solid(rounded(352, top - 190, 96, 220, 48), '#6f9070') +
    solid(`M448 ${top - 60}h34q22 0 22 -22v-46a20 20 0 0 1 40 0v56q0 52 -52 52h-44z`, '#6f9070') +
    line(`M376 ${top - 160}v150M400 ${top - 174}v164M424 ${top - 160}v150`, '#55755a', 4, 'stroke-dasharray="3 15"') +
    ellipse(400, top - 190, 20, 12, '#e3a19a'),
}

/** A candle in a bowl of clay, or candlesticks that stand together. */
export function candle(look: Glaze & { readonly sticks?: boolean }): Piece {
  return look.sticks
    ? candlesticks(look)
    : [
        shadow(400, 120),
        thrown(
          look,
          {
            profile: [
              [0, 104],
              [14, 112],
              [150, 112],
            ],
            inner: '#f0e4cd',
          },
          0.5,
          [0.6, 0.5],
        ),
        line('M400 492v-34', '#4a3a30', 6),
        flame(400, 452),
      ].join('')
}

function flame(x: number, y: number): Piece {
  return (
    ellipse(x, y - 20, 74, 84, '#f7d58a', 'opacity=".28"') +
    path(`M${x} ${y + 8}c-30 -8 -26 -44 0 -74c26 30 30 66 0 74z`, '#eeb04c') +
    path(`M${x} ${y + 6}c-15 -4 -13 -24 0 -42c13 18 15 38 0 42z`, '#fbe9b8')
  )
}

function candlesticks(look: Glaze): Piece {
  return [
    [300, 90],
    [400, 190],
    [505, 130],
  ]
    .map(([cx, height], index) => {
      const top = GROUND - height!
      return [
        shadow(cx!, 66),
        solid(rounded(cx! - 15, top - 200, 30, 210, 5), mix('snow', 'oat', 0.5)),
        line(`M${cx} ${top - 198}v-16`, '#4a3a30', 4),
        index === 1 ? flame(cx!, top - 222) : '',
        thrown(
          look,
          {
            cx: cx!,
            name: `stick${index}`,
            profile: [
              [0, 60],
              [12, 58],
              [28, 26],
              [height! * 0.6, 20],
              [height! - 14, 30],
              [height!, 34],
            ],
            inner: darker(look.tone, 0.4),
          },
          0.3,
          [0.5],
        ),
        solid(rounded(cx! - 15, top - 24, 30, 26, 4), mix('snow', 'oat', 0.5)),
      ].join('')
    })
    .join('')
}

export function lamp(look: Glaze & { readonly shade?: Tone; readonly shape?: 'drum' | 'cone' | 'dome' }): Piece {
  const { shade = 'oat', shape = 'drum' } = look
  const shades = {
    drum: 'M262 370L296 180H504L538 370A138 20 0 0 1 262 370z',
    cone: 'M236 372L356 176H444L564 372A164 22 0 0 1 236 372z',
    dome: 'M240 372C240 236 312 182 400 182S560 236 560 372A160 22 0 0 1 240 372z',
  }
  return [
    shadow(400, 130),
    ellipse(400, 400, 250, 220, '#f9e3ab', 'opacity=".35"'),
    line('M400 470V350', colour('brass'), 14),
    thrown(
      look,
      {
        profile: [
          [0, 92],
          [14, 100],
          [80, 108],
          [150, 62],
          [196, 24],
        ],
        inner: false,
      },
      0.45,
      [0.6, 0.5],
    ),
    ellipse(400, 444, 22, 6, colour('brass')),
    path(shades[shape], colour(shade)),
    path(shades[shape], 'url(#round)'),
    ellipse(400, 368, shape === 'drum' ? 130 : 152, 15, '#fbeec8'),
  ].join('')
}

export function jar(look: Glaze & { readonly height?: number; readonly lid?: Tone; readonly pair?: boolean }): Piece {
  const one = (cx: number, height: number, half: number, name: string) =>
    [
      shadow(cx, half * 1.1),
      thrown(
        look,
        {
          cx,
          name,
          profile: [
            [0, half * 0.86],
            [16, half * 0.98],
            [height * 0.5, half],
            [height, half * 0.9],
          ],
          inner: false,
        },
        0.4,
        [0.7, 0.62],
      ),
      ellipse(cx, GROUND - height, half * 0.92, half * 0.16, darker(look.lid ?? 'oak', 0.2)),
      solid(
        `M${n(cx - half * 0.92)} ${n(GROUND - height)}v-26A${n(half * 0.92)} ${n(half * 0.16)} 0 0 1 ${n(cx + half * 0.92)} ${n(GROUND - height - 26)}v26A${n(half * 0.92)} ${n(half * 0.16)} 0 0 1 ${n(cx - half * 0.92)} ${n(GROUND - height)}z`,
        look.lid ?? 'oak',
      ),
      ellipse(cx, GROUND - height - 26, half * 0.92, half * 0.16, lighter(look.lid ?? 'oak', 0.2)),
      solid(`M${n(cx - 20)} ${n(GROUND - height - 30)}q-4 -32 20 -32t20 32q-20 8 -40 0z`, look.lid ?? 'oak'),
    ].join('')
  const { height = 250 } = look
  return look.pair
    ? one(500, height * 0.72, 98, 'back') + one(318, height, 112, 'front')
    : one(400, height, 138, 'front')
}

export function dispenser(look: Glaze): Piece {
  return [
    shadow(400, 120),
    line('M400 420V330M400 334H322q-18 0 -20 18v10', colour('brass'), 16),
    solid(rounded(368, 376, 64, 44, 8), 'brass'),
    thrown(
      look,
      {
        profile: [
          [0, 96],
          [16, 106],
          [130, 106],
          [190, 88],
          [222, 44],
        ],
        inner: false,
      },
      0.4,
      [0.62, 0.54],
    ),
  ].join('')
}

/** A board of wood, with its grain. */
export function board(look: { readonly tone: Tone; readonly round?: boolean; readonly knife?: boolean }): Piece {
  const shape = look.round
    ? 'M400 210a190 190 0 0 1 62 370l-16 14v38a46 46 0 0 1 -92 0v-38l-16 -14a190 190 0 0 1 62 -370z'
    : `${rounded(262, 200, 276, 400, 46)}M362 590h76v52a38 38 0 0 1 -76 0z`
  const grain = Array.from({ length: 11 }, (_, index) =>
    line(
      `M${220 + index * 36} 160Q${206 + index * 38} 420 ${224 + index * 36} 720`,
      darker(look.tone, 0.22),
      3,
      'opacity=".45"',
    ),
  ).join('')
  return [
    `<g transform="rotate(12 400 420)">`,
    path(shape, '#2b2530', 'opacity=".16" transform="translate(16 18)"'),
    path(shape, colour(look.tone)),
    inside('board', shape, grain + line('M300 160Q420 400 330 720', lighter(look.tone, 0.3), 18, 'opacity=".3"')),
    path(shape, 'url(#flat)'),
    ellipse(400, 640, 13, 13, darker(look.tone, 0.5)),
    look.knife
      ? solid('M590 230q34 10 34 150v70h-34z', 'steel', 'flat') + solid(rounded(588, 450, 38, 150, 14), 'walnut')
      : '',
    '</g>',
  ].join('')
}

export type Weave = 'plain' | 'stripes' | 'checks' | 'border'

/** Threads of a cloth that hangs or lies: drawn inside its outline. */
export function woven(
  tone: Tone,
  second: Tone,
  weave: Weave,
  x: number,
  y: number,
  width: number,
  height: number,
): Piece {
  const across = (at: number, thickness: number, opacity = 1, thread: `#${string}` = colour(second)) =>
    path(
      `M${n(x - 20)} ${n(y + at * height)}h${n(width + 40)}v${thickness}h${n(-width - 40)}z`,
      thread,
      `opacity="${opacity}"`,
    )
  const down = (at: number, thickness: number, opacity: number) =>
    path(
      `M${n(x + at * width)} ${n(y - 20)}v${n(height + 40)}h${thickness}v${n(-height - 40)}z`,
      colour(second),
      `opacity="${opacity}"`,
    )
  if (weave === 'stripes')
    return [0.08, 0.2, 0.32, 0.44, 0.56, 0.68, 0.8, 0.92].map((at) => across(at, height * 0.045)).join('')
  if (weave === 'checks')
    return [0.1, 0.34, 0.58, 0.82].map((at) => across(at, height * 0.09, 0.55) + down(at, width * 0.09, 0.55)).join('')
  if (weave === 'border') return across(0.8, 10) + across(0.86, 22) + across(0.94, 10)
  return Array.from({ length: 9 }, (_, index) => across(0.08 + index * 0.11, 2, 0.18, darker(tone, 0.4))).join('')
}

/** A towel over a rail. */
export function towel(look: { readonly tone: Tone; readonly second?: Tone; readonly weave?: Weave }): Piece {
  const { second = 'slate', weave = 'border' } = look
  const cloth = 'M270 232Q400 222 530 232L540 622Q468 640 400 630T262 624z'
  return [
    line('M150 232H650', darker('oak', 0.1), 18),
    line('M150 228H650', colour('oak'), 10),
    path(cloth, '#2b2530', 'opacity=".14" transform="translate(14 12)"'),
    path(cloth, colour(look.tone)),
    inside('cloth', cloth, woven(look.tone, second, weave, 260, 230, 285, 400)),
    path(cloth, 'url(#round)'),
    line('M338 244Q330 430 340 622M452 240Q466 420 456 628', darker(look.tone, 0.4), 4, 'opacity=".18"'),
    solid('M268 236Q400 206 532 236L532 250Q400 230 268 250z', look.tone),
  ].join('')
}

/** Napkins in a stack, tied or not. */
export function napkins(look: { readonly tone: Tone; readonly second?: Tone }): Piece {
  const sheets = [0, 1, 2, 3].map((index) => {
    const y = 590 - index * 34
    const d = polygon([
      [210, y],
      [430, y - 86],
      [620, y - 16],
      [396, y + 84],
    ])
    const edge = polygon([
      [210, y],
      [396, y + 84],
      [620, y - 16],
      [620, y + 8],
      [396, y + 108],
      [210, y + 24],
    ])
    return (
      path(edge, darker(look.tone, index % 2 ? 0.22 : 0.14)) + path(d, lighter(look.tone, 0.06)) + path(d, 'url(#flat)')
    )
  })
  return [
    ellipse(425, 650, 270, 60, 'url(#shadow)'),
    ...sheets,
    line('M296 530L506 446', colour(look.second ?? 'kraft'), 10),
    line('M506 446l110 70', colour(look.second ?? 'kraft'), 10, 'opacity="0"'),
    line('M300 444L512 526', colour(look.second ?? 'kraft'), 10),
  ].join('')
}

export function cushion(look: { readonly tone: Tone; readonly second?: Tone; readonly weave?: Weave }): Piece {
  const shape = closedCurve([
    [215, 300],
    [400, 322],
    [585, 300],
    [562, 460],
    [588, 636],
    [400, 616],
    [212, 636],
    [238, 460],
  ])
  return [
    ellipse(415, 640, 250, 40, 'url(#shadow)'),
    path(shape, colour(look.tone)),
    inside('cushion', shape, woven(look.tone, look.second ?? 'oat', look.weave ?? 'plain', 210, 300, 380, 340)),
    path(shape, 'url(#round)'),
    line(
      'M240 330q30 30 60 36M560 330q-30 30 -60 36M238 606q34 -26 62 -30M562 606q-34 -26 -62 -30',
      darker(look.tone, 0.35),
      4,
      'opacity=".3"',
    ),
  ].join('')
}

/** Grains, flakes or sprinkles, scattered inside a circle: for soaps, terrazzo and teas. */
export function sprinkled(seed: number, cx: number, cy: number, radius: number, fill: string): Piece {
  const random = scatter(seed)
  return Array.from({ length: 22 }, () => {
    const [angle, distance] = [random() * Math.PI * 2, Math.sqrt(random()) * radius]
    return ellipse(
      cx + Math.cos(angle) * distance,
      cy + Math.sin(angle) * distance,
      3 + random() * 4,
      2 + random() * 3,
      fill,
      'opacity=".6"',
    )
  }).join('')
}

/** Bars of soap on a dish. */
export function soap(look: { readonly tone: Tone; readonly second?: Tone }): Piece {
  return [
    shadow(400, 200),
    ellipse(400, 618, 210, 40, darker(look.second ?? 'snow', 0.12)),
    ellipse(400, 608, 210, 40, colour(look.second ?? 'snow')),
    solid(rounded(268, 500, 264, 96, 40), look.tone),
    sprinkled(5, 400, 548, 70, darker(look.tone, 0.4)),
    solid(rounded(296, 412, 230, 92, 38), mix(look.tone, 'oat', 0.45)),
    sprinkled(9, 410, 458, 60, darker(look.tone, 0.3)),
  ].join('')
}

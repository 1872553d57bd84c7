import { type Weave, woven } from './home.ts'
import type { Gear } from './outdoor.ts'
import { colour, darker, ellipse, inside, lighter, line, type Piece, path, rounded, solid } from './svg.ts'
import type { Tone } from './tones.ts'

export type Knit = 'plain' | 'rib' | 'cable' | 'fairisle'

/** Stitches, drawn inside the outline of a knitted thing. */
function knitted(tone: Tone, second: Tone, knit: Knit, x: number, y: number, width: number, height: number): Piece {
  const dark = darker(tone, 0.3)
  if (knit === 'rib')
    return Array.from({ length: Math.floor(width / 18) }, (_, index) =>
      line(`M${x + index * 18} ${y}v${height}`, dark, 4, 'opacity=".32"'),
    ).join('')
  if (knit === 'cable') {
    const strand = (cx: number, side: number) =>
      line(
        `M${cx + side * 15} ${y}${`q0 20 ${-side * 15} 20t${-side * 15} 20q0 20 ${side * 15} 20t${side * 15} 20`.repeat(Math.ceil(height / 80))}`,
        dark,
        7,
        'opacity=".34"',
      )
    return [0.2, 0.5, 0.8]
      .map((share) => Math.round(x + width * share))
      .map(
        (cx) =>
          strand(cx, 1) +
          strand(cx, -1) +
          line(`M${cx - 32} ${y}v${height}M${cx + 32} ${y}v${height}`, lighter(tone, 0.35), 3, 'opacity=".5"'),
      )
      .join('')
  }
  if (knit === 'fairisle') {
    return [0.12, 0.3]
      .map(
        (share, row) =>
          Array.from({ length: Math.ceil(width / 36) + 1 }, (_, index) => {
            const [cx, cy] = [x + index * 36, y + height * share]
            return row === 0
              ? path(`M${cx} ${cy - 16}l14 16l-14 16l-14 -16z`, colour(second))
              : path(`M${cx - 18} ${cy}l18 -16l18 16l-18 8z`, colour(second))
          }).join('') +
          path(`M${x} ${y + height * share + 26}h${width}v5h${-width}z`, colour(second)) +
          path(`M${x} ${y + height * share - 31}h${width}v5h${-width}z`, colour(second)),
      )
      .join('')
  }
  return Array.from({ length: Math.floor(height / 22) }, (_, index) =>
    line(`M${x} ${y + index * 22}h${width}`, dark, 2.5, 'opacity=".14"'),
  ).join('')
}

/** The outline of a top with sleeves, laid flat. */
const TOP =
  'M312 226Q400 268 488 226L566 258Q600 276 612 330L652 560L578 580L546 430V628Q400 652 254 628V430L222 580L148 560L188 330Q200 276 234 258z'
const onTheFloor = ellipse(415, 640, 220, 28, 'url(#shadow)')

export function sweater(look: Gear & { readonly knit?: Knit; readonly collar?: 'crew' | 'roll' | 'zip' }): Piece {
  const { tone, second = 'oat', knit = 'plain', collar = 'crew' } = look
  return [
    onTheFloor,
    path(TOP, colour(tone)),
    inside('top', TOP, knitted(tone, second, knit, 148, 250, 520, 390)),
    path(TOP, 'url(#flat)'),
    line('M254 430Q244 370 236 330M546 430Q556 370 564 330', darker(tone, 0.4), 5, 'opacity=".45"'),
    inside(
      'hem',
      'M250 592H550V660H250zM130 530L240 540V600H130zM560 540L680 520V600H560z',
      inside(
        'hemtop',
        TOP,
        path('M130 500H680V660H130z', darker(tone, 0.16)) + knitted(tone, second, 'rib', 130, 500, 550, 160),
      ),
    ),
    collar === 'roll'
      ? solid('M318 236Q312 168 330 160Q400 144 470 160Q488 168 482 236Q400 282 318 236z', darker(tone, 0.06)) +
        line('M322 206Q400 244 478 206', darker(tone, 0.35), 4, 'opacity=".5"')
      : path('M312 226Q400 326 488 226Q400 262 312 226z', darker(tone, 0.42)) +
        line('M312 226Q400 330 488 226', darker(tone, 0.14), 17),
    collar === 'zip' ? line('M400 282V430', colour('steel'), 8) + solid(rounded(392, 424, 16, 32, 6), 'brass') : '',
  ].join('')
}

export function shirt(look: Gear & { readonly weave?: Weave; readonly short?: boolean }): Piece {
  const { tone, second = 'slate', weave = 'plain', short = false } = look
  const outline = short
    ? 'M318 226Q400 258 482 226L560 252L664 388L586 440L546 396V628Q400 644 254 628V396L214 440L136 388L240 252z'
    : TOP
  return [
    onTheFloor,
    path(outline, colour(tone)),
    inside('shirt', outline, woven(tone, second, weave, 140, 226, 520, 410)),
    path(outline, 'url(#flat)'),
    short
      ? line('M318 226Q400 322 482 226', darker(tone, 0.16), 15)
      : solid('M314 222L400 290L352 344L296 250zM486 222L400 290L448 344L504 250z', lighter(tone, 0.14), 'flat') +
        line('M400 300V628', darker(tone, 0.3), 4) +
        [350, 420, 490, 560].map((y) => ellipse(400, y, 7, 7, darker(tone, 0.5))).join(''),
    line('M254 430Q244 370 236 330M546 430Q556 370 564 330', darker(tone, 0.4), 4, 'opacity=".3"'),
  ].join('')
}

export function jacket(look: Gear & { readonly style?: 'shell' | 'down' | 'fleece' | 'vest' }): Piece {
  const { tone, second = 'ochre', style = 'shell' } = look
  const outline =
    style === 'vest' ? 'M306 214Q400 250 494 214L556 250Q536 340 558 420V630Q400 652 242 630V420Q264 340 244 250z' : TOP
  const seams = {
    shell: line('M188 372Q400 420 612 372', darker(tone, 0.3), 4, 'opacity=".5"'),
    down: [300, 352, 404, 456, 508, 560, 612]
      .map(
        (y) =>
          line(`M120 ${y + 14}Q260 ${y - 8} 400 ${y + 6}T680 ${y + 14}`, darker(tone, 0.34), 5, 'opacity=".5"') +
          line(`M120 ${y + 21}Q260 ${y} 400 ${y + 13}T680 ${y + 21}`, lighter(tone, 0.3), 4, 'opacity=".45"'),
      )
      .join(''),
    fleece: path('M120 200H680V372Q400 410 120 372z', colour(second), 'opacity=".92"'),
    vest: [320, 384, 448, 512, 576]
      .map((y) => line(`M220 ${y}Q400 ${y + 24} 580 ${y}`, darker(tone, 0.34), 5, 'opacity=".5"'))
      .join(''),
  }
  return [
    onTheFloor,
    style === 'shell'
      ? solid('M300 236Q292 140 400 136T500 236Q400 290 300 236z', darker(tone, 0.12)) +
        path('M334 224Q334 172 400 170T466 224Q400 256 334 224z', darker(tone, 0.5))
      : '',
    path(outline, colour(tone)),
    inside('jacket', outline, seams[style]),
    path(outline, 'url(#flat)'),
    style === 'shell'
      ? ''
      : solid(
          'M312 230Q306 176 326 168Q400 152 474 168Q494 176 488 230Q400 270 312 230z',
          style === 'fleece' ? second : darker(tone, 0.08),
        ),
    line('M400 246V636', darker(tone, 0.5), 12) + line('M400 246V636', colour(second), 5),
    solid(rounded(392, 262, 16, 34, 6), second),
    style === 'vest'
      ? ''
      : line('M254 430Q244 370 236 330M546 430Q556 370 564 330', darker(tone, 0.4), 5, 'opacity=".45"'),
    line('M284 500L346 476M516 500L454 476', style === 'shell' ? colour(second) : darker(tone, 0.4), 7),
    style === 'shell' ? path('M520 320l16 -22l9 12l6 -8l14 18z', colour(second)) : '',
  ].join('')
}

export function beanie(look: Gear & { readonly knit?: Knit; readonly pompom?: boolean }): Piece {
  const { tone, second = 'oat', knit = 'rib', pompom = false } = look
  const crown = 'M222 500C222 320 310 262 400 262S578 320 578 500Q400 530 222 500z'
  return [
    ellipse(410, 624, 210, 34, 'url(#shadow)'),
    pompom
      ? [
          [400, 228, 62],
          [360, 240, 34],
          [440, 240, 34],
          [384, 190, 34],
          [420, 192, 34],
        ]
          .map(([x, y, radius], index) =>
            ellipse(x!, y!, radius!, radius!, index ? lighter(second, 0.12) : colour(second)),
          )
          .join('') + ellipse(400, 225, 66, 66, 'url(#round)')
      : '',
    path(crown, colour(tone)),
    inside(
      'crown',
      crown,
      knit === 'rib'
        ? [-3, -2, -1, 0, 1, 2, 3]
            .map((step) =>
              line(`M400 262Q${400 + step * 66} 330 ${400 + step * 54} 520`, darker(tone, 0.3), 5, 'opacity=".35"'),
            )
            .join('')
        : knitted(tone, second, knit, 222, knit === 'fairisle' ? 370 : 270, 360, 250),
    ),
    path(crown, 'url(#round)'),
    solid('M208 496Q400 532 592 496Q608 550 590 606Q400 640 210 606Q192 550 208 496z', lighter(tone, 0.07)),
    Array.from({ length: 17 }, (_, index) =>
      line(
        `M${226 + index * 21.8} ${506 + 20 * Math.sin((index / 16) * Math.PI)}v86`,
        darker(tone, 0.3),
        4,
        'opacity=".32"',
      ),
    ).join(''),
    solid(rounded(486, 546, 54, 36, 4), 'oak', 'flat'),
  ].join('')
}

export function socks(look: Gear & { readonly knit?: Knit }): Piece {
  const { tone, second = 'oat', knit = 'plain' } = look
  const sock = 'M250 220H390V440Q390 470 420 484L540 540Q590 566 572 606T500 640Q400 636 300 580Q250 552 250 490z'
  const one = (name: string) =>
    [
      path(sock, colour(tone)),
      inside(
        name,
        sock,
        [
          knitted(tone, second, knit, 250, 230, 150, 340),
          path('M230 200H410V266H230z', colour(second)),
          path('M250 490Q250 552 300 580L330 600L380 470Q300 480 250 470z', colour(second), 'opacity=".9"'),
          path('M520 500Q480 570 500 660H640V500z', colour(second)),
        ].join(''),
      ),
      path(sock, 'url(#flat)'),
    ].join('')
  return [
    ellipse(430, 644, 230, 30, 'url(#shadow)'),
    `<g transform="translate(96 -34)">${one('far')}</g>`,
    `<g transform="translate(-50 6)">${one('near')}</g>`,
  ].join('')
}

/** Folded once, its two ends side by side. */
export function scarf(look: Gear & { readonly weave?: Weave }): Piece {
  const { tone, second = 'oat', weave = 'checks' } = look
  const end = (name: string, x: number, top: number, bottom: number) => {
    const outline = `M${x} ${bottom}V${top + 50}Q${x} ${top} ${x + 82} ${top}T${x + 164} ${top + 50}V${bottom}z`
    return [
      Array.from({ length: 11 }, (_, index) =>
        line(`M${x + 6 + index * 15.2} ${bottom}q${index % 2 ? 4 : -4} 16 0 32`, darker(tone, 0.12), 6),
      ).join(''),
      path(outline, colour(tone)),
      inside(name, outline, woven(tone, second, weave, x, top, 164, bottom - top)),
      path(outline, 'url(#round)'),
    ].join('')
  }
  return [
    ellipse(410, 646, 200, 26, 'url(#shadow)'),
    `<g transform="rotate(-9 400 200)">${end('far', 372, 196, 560)}</g>`,
    `<g transform="rotate(7 400 200)">${path('M300 246Q300 190 382 190T464 246V606H300z', '#2b2530', 'opacity=".14" transform="translate(12 4)"')}${end('near', 290, 186, 596)}</g>`,
  ].join('')
}

export function gloves(look: Gear & { readonly knit?: Knit }): Piece {
  const { tone, second = 'oat', knit = 'plain' } = look
  const mitten =
    'M300 600L286 420C276 300 300 236 356 236S436 300 432 400L438 412Q480 330 508 350T478 470L440 530L438 600z'
  const one = (name: string) =>
    path(mitten, colour(tone)) +
    inside(name, mitten, knitted(tone, second, knit, 270, 300, 250, 300)) +
    path(mitten, 'url(#flat)') +
    solid(rounded(288, 560, 164, 78, 14), second, 'flat') +
    Array.from({ length: 8 }, (_, index) =>
      line(`M${304 + index * 19} 568v62`, darker(second, 0.3), 4, 'opacity=".4"'),
    ).join('')
  return [
    ellipse(410, 646, 220, 28, 'url(#shadow)'),
    `<g transform="translate(800 0) scale(-1 1) translate(190 0) rotate(6 360 430)">${one('first')}</g>`,
    `<g transform="translate(70 0) rotate(6 360 430)">${one('second')}</g>`,
  ].join('')
}

/** Folded twice, its fringe to the front. */
export function blanket(look: Gear & { readonly weave?: Weave; readonly fringe?: boolean }): Piece {
  const { tone, second = 'oat', weave = 'stripes', fringe = true } = look
  const layers = [0, 1, 2].map((index) => {
    const y = 520 - index * 84
    const fold = `M190 ${y + 40}Q190 ${y} 232 ${y}H590Q612 ${y} 612 ${y + 22}V${y + 66}Q612 ${y + 96} 580 ${y + 96}H236Q190 ${y + 96} 190 ${y + 52}z`
    return (
      path(fold, index % 2 ? darker(tone, 0.07) : colour(tone)) +
      inside(`fold${index}`, fold, stripesAcross(second, weave, y)) +
      path(fold, 'url(#round)') +
      line(`M200 ${y + 96}H600`, '#2b2530', 6, 'opacity=".16"')
    )
  })
  const fringes = fringe
    ? Array.from({ length: 19 }, (_, index) =>
        line(`M${246 + index * 18} 612q${index % 2 ? 5 : -5} 16 0 32`, darker(tone, 0.1), 6),
      ).join('')
    : ''
  return [ellipse(415, 640, 270, 34, 'url(#shadow)'), fringes, ...layers].join('')
}

function stripesAcross(second: Tone, weave: Weave, y: number): Piece {
  const bars = {
    plain: [],
    border: [232, 262, 548],
    stripes: [228, 296, 364, 432, 500, 568],
    checks: [236, 316, 396, 476, 556],
  }[weave]
  const across = weave === 'checks' ? path(`M180 ${y + 30}h440v34h-440z`, colour(second), 'opacity=".55"') : ''
  return (
    across +
    bars
      .map((x) =>
        path(
          `M${x} ${y - 10}h${weave === 'border' ? 12 : 26}v120h${weave === 'border' ? -12 : -26}z`,
          colour(second),
          weave === 'checks' ? 'opacity=".55"' : '',
        ),
      )
      .join('')
  )
}

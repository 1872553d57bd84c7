import type { Gear } from './outdoor.ts'
import {
  colour,
  darker,
  ellipse,
  inside,
  lighter,
  line,
  mix,
  type Piece,
  path,
  rounded,
  shadow,
  solid,
  turned,
} from './svg.ts'
import type { Tone } from './tones.ts'

const turn = (degrees: number, content: Piece) => `<g transform="rotate(${degrees} 400 420)">${content}</g>`
const dropShadow = (d: string) => path(d, '#2b2530', 'opacity=".15" transform="translate(16 18)"')

export function notebook(
  look: Gear & { readonly label?: 'plate' | 'none' | 'pattern'; readonly elastic?: boolean; readonly spiral?: boolean },
): Piece {
  const { tone, second = 'oat', label = 'plate', elastic = false, spiral = false } = look
  const cover = rounded(246, 190, 320, 440, 16)
  return turn(
    -7,
    [
      dropShadow(rounded(246, 190, 334, 446, 16)),
      path(rounded(254, 198, 322, 440, 14), '#f6f0e2') + line('M560 214V626M567 214V626', '#cfc4ae', 2),
      path(cover, colour(tone)),
      label === 'pattern' ? inside('cover', cover, pattern(second)) : '',
      path(cover, 'url(#flat)'),
      path('M246 206q0 -16 16 -16h30v440h-30q-16 0 -16 -16z', darker(tone, 0.18), 'opacity=".8"'),
      label === 'plate'
        ? path(rounded(342, 276, 170, 84, 6), colour(second)) +
          line('M366 308H488M366 330H450', darker(second, 0.35), 4)
        : '',
      elastic ? line('M534 190V630', darker(second, 0.1), 13) : '',
      spiral
        ? Array.from({ length: 13 }, (_, index) =>
            line(`M262 ${216 + index * 33}c-44 -12 -44 22 -4 12`, darker('steel', 0.2), 7),
          ).join('')
        : '',
    ].join(''),
  )
}

function pattern(second: Tone): Piece {
  return Array.from({ length: 42 }, (_, index) => {
    const [column, row] = [index % 6, Math.floor(index / 6)]
    const [x, y] = [312 + column * 52 + (row % 2) * 26, 214 + row * 66]
    return path(
      `M${x} ${y + 18}C${x - 18} ${y + 8} ${x - 14} ${y - 14} ${x} ${y - 20}C${x + 14} ${y - 14} ${x + 18} ${y + 8} ${x} ${y + 18}z`,
      colour(second),
      'opacity=".85"',
    )
  }).join('')
}

/** A pen, seen from the side, lying at an angle. */
export function pen(look: Gear & { readonly kind?: 'ball' | 'fountain' | 'brush' }): Piece {
  const { tone, second = 'brass', kind = 'ball' } = look
  const tips = {
    ball: solid('M560 392L620 410Q628 420 620 430L560 448z', second) + line('M618 420h14', colour('charcoal'), 7),
    fountain:
      solid('M556 390h26v60h-26z', 'charcoal') +
      solid('M582 396Q640 404 672 420Q640 436 582 444z', second) +
      line('M604 420H668', darker(second, 0.5), 3) +
      ellipse(604, 420, 5, 5, darker(second, 0.5)),
    brush:
      solid('M556 392h30l8 12v32l-8 12h-30z', 'charcoal') +
      solid('M594 402Q640 400 668 420Q640 440 594 438z', '#4a3a30'),
  }
  return [
    path(
      'M150 640C250 610 330 690 450 640S610 620 660 640',
      'none',
      `stroke="${darker(tone, 0.2)}" stroke-width="7" stroke-linecap="round" opacity=".7"`,
    ),
    ellipse(420, 560, 250, 24, 'url(#shadow)', 'transform="rotate(-32 420 560)"'),
    `<g transform="rotate(-32 400 420) translate(-20 0) scale(1.05)">`,
    tips[kind],
    solid(rounded(130, 384, 436, 72, kind === 'ball' ? 26 : 34), tone),
    solid(rounded(352, 380, 18, 80, 4), second) + solid(rounded(150, 388, 10, 64, 4), second),
    solid(rounded(176, 366, 150, 17, 8), second),
    line('M190 404H540', '#fff', 8, 'opacity=".35"'),
    '</g>',
  ].join('')
}

export function pencils(look: { readonly tones: readonly Tone[] }): Piece {
  const count = look.tones.length
  const each = look.tones.map((tone, index) => {
    const x = 400 + (index - (count - 1) / 2) * 66
    const top = 250 + Math.abs(index - (count - 1) / 2) * 22
    return [
      solid(`M${x - 26} ${top + 84}h52V600h-52z`, tone),
      path(`M${x - 9} ${top + 84}h18V600h-18z`, '#fff', 'opacity=".16"'),
      path(
        `M${x - 26} ${top + 84}L${x - 9} ${top + 26}h18L${x + 26} ${top + 84}q-13 -12 -26 0q-13 -12 -26 0z`,
        '#e8cda4',
      ),
      path(`M${x - 9} ${top + 26}L${x} ${top - 6}L${x + 9} ${top + 26}z`, darker(tone, 0.25)),
      solid(`M${x - 26} 588h52v24h-52z`, 'brass'),
      solid(`M${x - 26} 612h52v14q0 12 -12 12h-28q-12 0 -12 -12z`, 'blush'),
    ].join('')
  })
  return [ellipse(410, 642, count * 44 + 60, 28, 'url(#shadow)'), ...each].join('')
}

export function inkBottle(look: Gear): Piece {
  const { tone, second = 'charcoal' } = look
  const glass = 'M258 470Q258 430 320 420H480Q542 430 542 470V600Q542 640 502 640H298Q258 640 258 600z'
  return [
    shadow(400, 165),
    path(glass, '#dfe6e6'),
    inside('glass', glass, path('M240 486Q400 502 560 486V660H240z', colour(tone))),
    path(glass, 'url(#round)'),
    solid('M350 372h100v52h-100z', '#d3dcdc'),
    solid('M330 300h140q12 0 12 12v62Q400 392 318 374v-62q0 -12 12 -12z', second),
    ellipse(400, 302, 78, 11, lighter(second, 0.2)),
    path(rounded(320, 516, 160, 82, 8), '#f6f0e2') + line('M344 546H456M362 570H438', darker(tone, 0.1), 5),
    path('M596 640c-52 -6 -44 -34 -8 -34s30 -20 60 -8s40 44 -52 42z', colour(tone), 'opacity=".9"'),
  ].join('')
}

export function book(look: Gear & { readonly cover?: 'sun' | 'leaf' | 'wave' | 'cup' | 'letters' | 'house' }): Piece {
  const { tone, second = 'oat', cover = 'sun' } = look
  const drawings = {
    sun:
      ellipse(424, 350, 72, 72, colour(second)) + path('M290 480Q360 420 430 470T570 452V640H290z', lighter(tone, 0.2)),
    leaf:
      path('M424 500C330 450 340 330 424 270C508 330 518 450 424 500z', colour(second)) +
      line('M424 540V320M424 440L380 396M424 440L468 396', colour(tone), 6),
    wave: [360, 400, 440, 480].map((y) => line(`M300 ${y}q32 -34 62 0t62 0t62 0t62 0`, colour(second), 9)).join(''),
    cup:
      path('M360 360H480V420Q480 470 420 470T360 420z', colour(second)) +
      line('M480 376q40 0 34 36t-42 28', colour(second), 12) +
      line('M400 336q-12 -18 0 -36M440 336q-12 -18 0 -36', colour(second), 7),
    letters: `${line('M336 480L400 310L464 480M362 420H438', colour(second), 20)}${ellipse(510, 462, 16, 16, colour(second))}`,
    house: path('M336 400L424 320L512 400V500H336z', colour(second)) + path('M400 500V430H448V500z', colour(tone)),
  }
  const front = 'M280 180H560Q572 180 572 192V616H280z'
  return [
    ellipse(425, 640, 220, 32, 'url(#shadow)'),
    path('M250 196Q250 180 280 180V640Q250 640 250 620z', darker(tone, 0.3)),
    path('M280 606H566V634H280Q262 634 262 620T280 606z', '#f3ead6') + line('M280 616H564M280 625H564', '#cbbf9f', 2),
    solid('M250 620Q252 606 280 606V616Q266 618 268 626T284 640H572V646H280Q250 646 250 620z', tone),
    path(front, colour(tone)),
    inside('cover', front, drawings[cover]),
    path(front, 'url(#flat)'),
    line('M340 226H508M370 250H478', colour(second), 8),
    line('M296 180V612', '#2b2530', 6, 'opacity=".16"'),
  ].join('')
}

/** A card before its envelope. */
export function card(look: Gear & { readonly print?: 'flower' | 'stars' | 'heart' | 'plain' | 'tree' }): Piece {
  const { tone, second = 'terracotta', print = 'flower' } = look
  const prints = {
    flower:
      line('M460 470V360', '#6f8468', 7) +
      [0, 72, 144, 216, 288]
        .map((angle) => `<g transform="rotate(${angle} 460 330)">${ellipse(460, 302, 20, 30, colour(second))}</g>`)
        .join('') +
      ellipse(460, 330, 17, 17, colour('honey')),
    stars: [
      [400, 330, 1],
      [500, 300, 0.7],
      [470, 410, 1.3],
      [530, 450, 0.6],
      [390, 450, 0.8],
    ]
      .map(
        ([x, y, scale]) =>
          `<g transform="translate(${x} ${y}) scale(${scale})">${path('M0 -28L7 -7L28 0L7 7L0 28L-7 7L-28 0L-7 -7z', colour(second))}</g>`,
      )
      .join(''),
    heart: path('M460 450C340 370 390 280 460 330C530 280 580 370 460 450z', colour(second)),
    plain: line('M396 350H524M396 384H524M396 418H476', colour(second), 6),
    tree:
      path('M460 280L520 380H490L536 450H384L430 380H400z', colour(second)) +
      path('M448 450h24v30h-24z', colour('walnut')),
  }
  return [
    `<g transform="rotate(-8 380 500)">`,
    path(rounded(170, 400, 380, 240, 8), '#2b2530', 'opacity=".14" transform="translate(12 14)"'),
    path(rounded(170, 400, 380, 240, 8), mix(tone, 'kraft', 0.3)),
    path('M172 404L360 540L548 404z', darker(mix(tone, 'kraft', 0.3), 0.12)),
    '</g>',
    `<g transform="rotate(6 460 380)">`,
    path(rounded(330, 200, 260, 350, 6), '#2b2530', 'opacity=".16" transform="translate(12 14)"'),
    path(rounded(330, 200, 260, 350, 6), '#fbf7ee'),
    path(rounded(346, 216, 228, 318, 4), lighter(tone, 0.5)),
    prints[print],
    path(rounded(330, 200, 260, 350, 6), 'url(#flat)'),
    '</g>',
  ].join('')
}

/** Rolls of paper tape. */
export function tape(look: { readonly tones: readonly Tone[] }): Piece {
  const rolls = look.tones.map((tone, index) => {
    const [cx, cy] = [
      [290, 520],
      [500, 540],
      [400, 350],
    ][index % 3] as [number, number]
    return [
      ellipse(cx + 14, cy + 92, 120, 22, 'url(#shadow)'),
      ellipse(cx + 16, cy + 4, 100, 100, darker(tone, 0.28)),
      ellipse(cx, cy, 100, 100, colour(tone)),
      ellipse(cx, cy, 84, 84, lighter(tone, 0.18)),
      ellipse(cx, cy, 62, 62, colour('kraft')),
      ellipse(cx, cy, 52, 52, darker('kraft', 0.35)),
      ellipse(cx, cy, 100, 100, 'url(#flat)'),
    ].join('')
  })
  return rolls.join('')
}

export function tray(look: Gear): Piece {
  const { tone, second = 'charcoal' } = look
  return [
    ellipse(420, 630, 300, 40, 'url(#shadow)'),
    path('M170 470L300 420H630L560 560H120z', darker(tone, 0.25)),
    path('M196 478L310 434H606L548 544H150z', lighter(tone, 0.1)),
    solid('M120 560H560V620Q560 634 546 634H134Q120 634 120 620z', tone, 'flat'),
    path('M560 560L630 420V482L560 634z', darker(tone, 0.18)),
    line('M380 434L330 544', darker(tone, 0.2), 14),
    `<g transform="rotate(-14 470 490)">${solid(rounded(410, 474, 150, 18, 9), second)}${solid(rounded(420, 504, 130, 16, 8), 'brass')}</g>`,
    solid(rounded(220, 462, 96, 56, 6), 'snow', 'flat'),
  ].join('')
}

/** A beaker with pens in it. */
export function penCup(look: Gear): Piece {
  const { tone } = look
  const pens = [
    [356, -10, 'ochre'],
    [392, -2, 'ink'],
    [428, 5, 'terracotta'],
    [450, 12, 'forest'],
  ] as const
  return [
    shadow(400, 118),
    pens
      .map(
        ([x, angle, ink], index) =>
          `<g transform="rotate(${angle} ${x} 560)">${solid(rounded(x - 13, 230 + (index % 2) * 46, 26, 340, 10), ink)}${solid(rounded(x - 13, 300 + (index % 2) * 46, 26, 12, 2), 'brass')}</g>`,
      )
      .join(''),
    turned({
      profile: [
        [0, 92],
        [14, 98],
        [220, 100],
      ],
      tone,
      name: 'beaker',
      inner: false,
      speckled: true,
    }),
    line('M302 420A98 17 0 0 0 498 420', lighter(tone, 0.3), 7),
  ].join('')
}

export function poster(look: Gear & { readonly scene?: 'hills' | 'moon' | 'shapes' | 'cup' }): Piece {
  const { tone, second = 'terracotta', scene = 'hills' } = look
  const sheet = 'M240 150H560V600H240z'
  const scenes = {
    hills:
      ellipse(470, 290, 54, 54, colour(second)) +
      path('M240 450Q320 340 400 410T560 380V600H240z', colour(tone)) +
      path('M240 520Q340 440 430 500T560 480V600H240z', darker(tone, 0.25)),
    moon:
      path('M240 150H560V600H240z', darker(tone, 0.35)) +
      ellipse(400, 330, 86, 86, colour(second)) +
      ellipse(436, 306, 76, 76, darker(tone, 0.35)) +
      path('M240 520Q400 450 560 520V600H240z', colour(tone)),
    shapes:
      ellipse(350, 300, 74, 74, colour(tone)) +
      path('M400 340H530V540H400z', colour(second)) +
      path('M270 540L350 400L430 540z', darker(tone, 0.3), 'opacity=".85"'),
    cup:
      path('M310 340H470V430Q470 510 390 510T310 430z', colour(tone)) +
      line('M470 364q54 0 46 50t-58 38', colour(tone), 18) +
      line('M360 300q-16 -24 0 -48M412 300q-16 -24 0 -48', colour(second), 9),
  }
  return [
    dropShadow('M224 134H576V616H224z'),
    solid('M224 134H576V616H224z', 'oak', 'flat'),
    path(sheet, '#f8f3e8'),
    inside('sheet', sheet, scenes[scene]),
    path('M240 150H420L240 470z', '#fff', 'opacity=".14"'),
  ].join('')
}

export function calendar(look: Gear): Piece {
  const { tone, second = 'terracotta' } = look
  const days = Array.from({ length: 28 }, (_, index) => {
    const [x, y] = [276 + (index % 7) * 41, 442 + Math.floor(index / 7) * 42]
    return ellipse(x, y, 10, 10, index === 16 ? colour(second) : lighter('slate', 0.5))
  }).join('')
  return [
    ellipse(415, 640, 230, 34, 'url(#shadow)'),
    path('M560 230L610 620H560z', darker(tone, 0.3)),
    path(rounded(226, 220, 346, 416, 12), '#fbf7ee'),
    path('M226 232q0 -12 12 -12h322q12 0 12 12v148h-346z', colour(tone)),
    path('M226 380V330Q300 270 380 330T572 300V380z', darker(tone, 0.22)) + ellipse(486, 276, 26, 26, colour('honey')),
    days,
    path(rounded(226, 220, 346, 416, 12), 'url(#flat)'),
    Array.from({ length: 9 }, (_, index) => line(`M${258 + index * 35} 236v-34`, darker('steel', 0.25), 7)).join(''),
  ].join('')
}

/** A page on a screen: what is downloaded rather than sent. */
export function download(look: Gear & { readonly page?: 'book' | 'planner' | 'map' | 'course' }): Piece {
  const { tone, second = 'terracotta', page = 'book' } = look
  const pages = {
    book:
      line('M310 280H490M340 312H460', colour(second), 10) +
      ellipse(400, 420, 70, 70, lighter(tone, 0.2)) +
      path('M330 470Q400 420 470 470V520H330z', darker(tone, 0.1)),
    planner: Array.from({ length: 20 }, (_, index) =>
      path(
        rounded(292 + (index % 5) * 44, 290 + Math.floor(index / 5) * 62, 36, 50, 5),
        index % 6 === 2 ? colour(second) : lighter(tone, 0.45),
      ),
    ).join(''),
    map:
      [0, 1, 2, 3, 4]
        .map((index) =>
          line(
            `M280 ${320 + index * 50}Q350 ${270 + index * 50} 410 ${320 + index * 48}T520 ${300 + index * 52}`,
            lighter(tone, 0.25),
            6,
          ),
        )
        .join('') + line('M310 530Q350 440 410 440T490 300', colour(second), 9, 'stroke-dasharray="2 18"'),
    course:
      ellipse(400, 400, 84, 84, lighter(tone, 0.3)) +
      path('M376 356L448 400L376 444z', colour(second)) +
      line('M300 530H500', lighter(tone, 0.4), 9) +
      line('M300 530H390', colour(second), 9),
  }
  return [
    dropShadow(rounded(246, 170, 308, 470, 34)),
    path(rounded(246, 170, 308, 470, 34), colour('charcoal')),
    path(rounded(264, 192, 272, 426, 18), '#fbf7ee'),
    pages[page],
    path(rounded(246, 170, 308, 470, 34), 'url(#flat)'),
    ellipse(548, 610, 62, 62, colour(second)) + line('M548 578V632M524 612L548 636L572 612', '#fff', 10),
  ].join('')
}

export function giftCard(look: Gear): Piece {
  const { tone, second = 'brass' } = look
  return turn(
    -9,
    [
      dropShadow(rounded(170, 290, 460, 290, 26)),
      path(rounded(170, 290, 460, 290, 26), colour(tone)),
      path(rounded(170, 290, 460, 290, 26), 'url(#flat)'),
      path('M290 290h34v290h-34z', colour(second)),
      path(`M307 390C240 330 220 410 307 404C394 410 374 330 307 390z`, lighter(second, 0.15)) +
        line('M307 400L270 446M307 400L346 446', lighter(second, 0.15), 15),
      line('M420 500H570M420 530H520', lighter(tone, 0.5), 8),
      ellipse(530, 380, 34, 34, lighter(tone, 0.25)) + ellipse(530, 380, 20, 20, colour(second)),
    ].join(''),
  )
}

/** Many sheets, wrapped: writing paper or envelopes. */
export function ream(look: Gear): Piece {
  const { tone, second = 'kraft' } = look
  const sheets = Array.from({ length: 12 }, (_, index) =>
    path(
      `M180 ${590 - index * 7}L300 ${536 - index * 7}H640L560 ${590 - index * 7}z`,
      index % 2 ? '#e8dfcc' : '#fbf7ee',
    ),
  ).join('')
  return [
    ellipse(425, 620, 280, 40, 'url(#shadow)'),
    sheets,
    path('M180 512L300 458H640L560 512z', '#fdfaf3'),
    path('M180 512H560V600H180z', '#efe7d6') +
      Array.from({ length: 8 }, (_, index) => line(`M182 ${522 + index * 10}H558`, '#d5cab2', 2)).join(''),
    path('M560 512L640 458V546L560 600z', '#ddd2bc'),
    path('M310 512L400 458H470L392 512zM310 512H392V600H310z', colour(second)),
    path('M310 512H392V600H310z', '#2b2530', 'opacity=".08"'),
    path(rounded(250, 400, 210, 130, 4), lighter(tone, 0.25), 'transform="rotate(-8 350 460)"') +
      path(
        'M250 404L356 476L460 404',
        'none',
        `stroke="${darker(tone, 0.12)}" stroke-width="6" transform="rotate(-8 350 460)"`,
      ),
  ].join('')
}

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
  scatter,
  shadow,
  solid,
  turned,
} from './svg.ts'
import { steam } from './tableware.ts'

export function coffeeBag(look: Gear & { readonly label?: 'band' | 'sun' | 'mountain' | 'leaf' }): Piece {
  const { tone, second = 'terracotta', label = 'band' } = look
  const bag = 'M268 250H532L556 590Q560 640 512 640H288Q240 640 244 590z'
  const labels = {
    band: path('M220 430h360v120h-360z', colour(second)) + line('M330 470H470M356 506H444', lighter(second, 0.6), 9),
    sun:
      path(rounded(312, 400, 176, 176, 12), lighter(second, 0.62)) +
      ellipse(400, 478, 44, 44, colour(second)) +
      line('M340 548H460', colour(second), 7),
    mountain:
      path(rounded(312, 400, 176, 176, 12), lighter(second, 0.62)) +
      path('M328 530L386 436L414 478L440 450L472 530z', colour(second)) +
      line('M340 552H460', colour(second), 7),
    leaf:
      path(rounded(312, 400, 176, 176, 12), lighter(second, 0.62)) +
      path('M400 532C352 508 356 450 400 424C444 450 448 508 400 532z', colour(second)) +
      line('M340 552H460', colour(second), 7),
  }
  return [
    shadow(400, 165),
    path(bag, colour(tone)),
    inside(
      'bag',
      bag,
      labels[label] +
        path('M244 250L300 640H220z', '#2b2530', 'opacity=".12"') +
        path('M556 250L500 640H580z', '#2b2530', 'opacity=".12"'),
    ),
    path(bag, 'url(#round)'),
    solid('M262 200H538V262H262z', darker(tone, 0.1)),
    line('M262 222H538', darker(tone, 0.35), 4, 'opacity=".5"'),
    solid(rounded(236, 238, 328, 20, 6), second),
    ellipse(400, 330, 16, 16, darker(tone, 0.3)) + ellipse(400, 330, 9, 9, darker(tone, 0.1)),
    beans(610, 626, 3),
  ].join('')
}

function beans(x: number, y: number, count: number): Piece {
  const random = scatter(x)
  return Array.from({ length: count }, (_, index) => {
    const [cx, cy, angle] = [x + index * 34 - (index % 2) * 10, y + (index % 2) * 16, random() * 120]
    return `<g transform="rotate(${Math.round(angle)} ${cx} ${cy})">${ellipse(cx, cy, 20, 14, '#5a3b28')}${line(`M${cx - 17} ${cy}q10 -7 17 0t17 0`, '#3a251a', 3.5)}</g>`
  }).join('')
}

export function tin(look: Gear & { readonly leaves?: boolean }): Piece {
  const { tone, second = 'brass', leaves = true } = look
  return [
    shadow(400, 130),
    turned({
      profile: [
        [0, 112],
        [10, 118],
        [260, 118],
      ],
      tone,
      name: 'tin',
      inner: false,
      tilt: 0.15,
    }),
    path('M282 452Q400 486 518 452V560Q400 596 282 560z', lighter(tone, 0.6)) +
      path('M400 556C364 538 366 498 400 478C434 498 436 538 400 556z', colour(second)),
    solid('M276 382v-48A124 19 0 0 1 524 334v48A124 19 0 0 1 276 382z', second),
    ellipse(400, 334, 124, 19, lighter(second, 0.24)),
    leaves
      ? [
          [590, 626, 20],
          [622, 640, -30],
          [566, 644, 60],
        ]
          .map(([x, y, angle]) => `<g transform="rotate(${angle} ${x} ${y})">${ellipse(x!, y!, 22, 8, '#6f8468')}</g>`)
          .join('')
      : '',
  ].join('')
}

export function dripper(look: Gear): Piece {
  const { tone, second = 'oak' } = look
  return [
    shadow(400, 130),
    path('M300 470Q292 640 330 640H470Q508 640 500 470z', '#e4ebea') +
      inside(
        'server',
        'M300 470Q292 640 330 640H470Q508 640 500 470z',
        path('M280 548Q400 562 520 548V660H280z', '#6b432c'),
      ) +
      path('M300 470Q292 640 330 640H470Q508 640 500 470z', 'url(#round)'),
    line('M502 498Q566 500 552 560T496 606', '#cfd9d8', 13),
    path('M400 424v110', '#6b432c', 'stroke="#6b432c" stroke-width="5"'),
    ellipse(400, 456, 140, 20, darker(second, 0.2)) + ellipse(400, 448, 140, 20, colour(second)),
    solid('M236 250H564L452 434Q400 446 348 434z', tone),
    [288, 344, 400, 456, 512]
      .map((x) => line(`M${x} 268L${400 + (x - 400) * 0.34} 430`, darker(tone, 0.3), 4, 'opacity=".4"'))
      .join(''),
    ellipse(400, 250, 164, 28, lighter(tone, 0.25)) +
      ellipse(400, 252, 150, 22, '#f5efe2') +
      ellipse(400, 256, 108, 14, '#5a3b28'),
    steam(400, 210),
  ].join('')
}

export function kettle(look: Gear): Piece {
  const { tone, second = 'oak' } = look
  return [
    shadow(400, 165),
    line('M300 590C190 560 230 430 140 372', darker(tone, 0.25), 27) +
      line('M300 590C190 560 230 430 140 372', colour(tone), 21),
    line('M500 440C650 400 640 600 560 610', darker(second, 0.2), 30) +
      line('M500 440C650 400 640 600 560 610', colour(second), 24),
    turned({
      cx: 410,
      profile: [
        [0, 146],
        [14, 154],
        [120, 128],
        [200, 96],
      ],
      tone,
      name: 'kettle',
      inner: false,
    }),
    ellipse(410, 440, 98, 17, darker(tone, 0.2)),
    solid('M316 436Q320 404 410 400T504 436A94 14 0 0 1 316 436z', tone),
    solid('M388 400q-8 -46 22 -46t22 46q-22 8 -44 0z', second),
  ].join('')
}

export function grinder(look: Gear): Piece {
  const { tone, second = 'walnut' } = look
  return [
    shadow(400, 110),
    line('M400 256H560V240', darker('steel', 0.2), 15) + solid('M538 176h44v70q-22 12 -44 0z', second),
    turned({
      profile: [
        [0, 88],
        [10, 92],
        [130, 92],
        [150, 84],
      ],
      tone: second,
      name: 'base',
      inner: false,
    }),
    turned({
      foot: 500,
      profile: [
        [0, 84],
        [200, 84],
      ],
      tone,
      name: 'barrel',
      inner: false,
    }),
    [330, 360, 390].map((y) => line(`M316 ${y}A84 15 0 0 0 484 ${y}`, darker(tone, 0.3), 4, 'opacity=".5"')).join(''),
    ellipse(400, 300, 84, 15, lighter(tone, 0.2)),
    solid('M346 296Q346 258 400 252T454 296A54 9 0 0 1 346 296z', darker(tone, 0.1)),
    ellipse(400, 254, 18, 8, colour('steel')),
    beans(560, 624, 4),
  ].join('')
}

export function press(look: Gear): Piece {
  const { tone, second = 'oak' } = look
  const glass = 'M290 340H510V620Q510 640 490 640H310Q290 640 290 620z'
  return [
    shadow(400, 135),
    line('M512 380C600 370 600 600 512 590', darker(second, 0.2), 28) +
      line('M512 380C600 370 600 600 512 590', colour(second), 22),
    path(glass, '#e4ebea'),
    inside(
      'glass',
      glass,
      path('M280 440Q400 452 520 440V660H280z', '#5f3c28') +
        path('M280 440Q400 452 520 440V462Q400 476 280 462z', '#a97f58'),
    ),
    path(glass, 'url(#round)'),
    line('M290 400H510M290 600H510', colour(tone), 15),
    line('M400 300V190', darker('steel', 0.1), 9) +
      ellipse(400, 180, 26, 24, colour(second)) +
      ellipse(400, 180, 26, 24, 'url(#round)'),
    solid('M280 342Q284 296 400 292T520 342A120 17 0 0 1 280 342z', tone),
  ].join('')
}

/** A box of paper filters, fanned. */
export function filters(look: Gear): Piece {
  const { tone, second = 'kraft' } = look
  const fan = [-18, -6, 6, 18]
    .map(
      (angle) =>
        `<g transform="rotate(${angle} 400 560)">${path('M300 260H500L430 470H370z', '#eddfc4')}${path('M300 260H330L392 470H370z', '#2b2530', 'opacity=".07"')}</g>`,
    )
    .join('')
  return [
    ellipse(415, 640, 230, 36, 'url(#shadow)'),
    fan,
    solid(rounded(250, 430, 300, 210, 10), second, 'flat'),
    path(rounded(300, 480, 200, 110, 6), lighter(tone, 0.5)) + path('M356 506H444L412 570H388z', colour(tone)),
  ].join('')
}

/** A bar of chocolate, half out of its paper. */
export function chocolate(look: Gear): Piece {
  const { tone, second = 'honey' } = look
  const squares = Array.from({ length: 6 }, (_, index) =>
    solid(
      rounded(306 + (index % 3) * 66, 190 + Math.floor(index / 3) * 72, 62, 68, 6),
      mix('walnut', 'charcoal', 0.3),
      'flat',
    ),
  ).join('')
  return `<g transform="rotate(10 400 420)">${[
    path(rounded(284, 180, 232, 450, 8), '#2b2530', 'opacity=".15" transform="translate(14 16)"'),
    squares,
    path('M290 336l18 -14l20 14l22 -14l22 14l24 -14l22 14l22 -14l22 14l22 -14l26 14V360H290z', lighter('steel', 0.3)),
    solid('M282 352H518V630H282z', tone, 'flat'),
    path('M282 430H518V540H282z', colour(second)) + line('M330 472H470M356 504H444', darker(tone, 0.2), 9),
  ].join('')}</g>`
}

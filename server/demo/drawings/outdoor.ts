import {
  colour,
  curve,
  darker,
  ellipse,
  inside,
  lighter,
  line,
  type Piece,
  path,
  polygon,
  rounded,
  shadow,
  solid,
  type Turned,
  turned,
} from './svg.ts'
import type { Tone } from './tones.ts'

/** What a maker of gear decides: the cloth, and the colour of trims. */
export interface Gear {
  readonly tone: Tone
  readonly second?: Tone
}

export function tent(look: Gear & { readonly shape?: 'ridge' | 'dome' | 'tunnel' | 'tarp' }): Piece {
  const { tone, second = 'ochre', shape = 'ridge' } = look
  const ground = ellipse(400, 626, 330, 40, 'url(#shadow)')
  if (shape === 'tarp') {
    return [
      ground,
      line('M190 620L210 350M610 620L590 350', colour('oak'), 12),
      line('M210 352L110 620M590 352L690 620', darker('oat', 0.3), 4),
      path('M120 470L210 350H590L680 470Q400 396 120 470z', darker(tone, 0.12)),
      solid('M210 350H590L660 452Q400 372 140 452z', tone, 'flat'),
      line('M210 350H590', lighter(tone, 0.35), 6),
      solid(rounded(300, 560, 200, 60, 26), second),
    ].join('')
  }
  if (shape === 'dome') {
    return [
      ground,
      solid('M110 624C150 380 270 292 400 292S650 380 690 624z', tone, 'flat'),
      path('M400 292C330 360 300 500 296 624H504C500 500 470 360 400 292z', darker(tone, 0.16)),
      path('M400 340C352 404 330 520 330 624H400z', lighter(tone, 0.2)),
      path('M400 340C448 404 470 520 470 624H400z', darker(tone, 0.45)),
      line('M110 624C170 380 320 276 470 300M690 624C630 380 480 276 330 300', colour(second), 8),
      line('M110 624L66 640M690 624L734 640', darker('oat', 0.4), 5),
    ].join('')
  }
  if (shape === 'tunnel') {
    return [
      ground,
      solid('M80 624C90 440 150 380 260 372L560 326C660 330 716 430 722 624z', tone, 'flat'),
      path('M560 326C470 340 430 450 424 624H722C716 430 660 330 560 326z', darker(tone, 0.15)),
      path('M566 372C520 392 490 480 486 624H650C648 480 620 392 566 372z', darker(tone, 0.5)),
      path('M566 372C520 392 490 480 486 624H532C530 520 540 430 566 372z', lighter(tone, 0.24)),
      line(
        'M260 372C190 420 172 520 170 624M410 350C340 400 300 520 296 624M560 326C470 340 430 450 424 624',
        colour(second),
        7,
      ),
    ].join('')
  }
  return [
    ground,
    path(
      polygon([
        [400, 240],
        [250, 250],
        [70, 600],
        [180, 624],
      ]),
      darker(tone, 0.2),
    ),
    solid(
      polygon([
        [400, 240],
        [180, 624],
        [690, 624],
      ]),
      tone,
      'flat',
    ),
    path('M400 240L356 624H470z', darker(tone, 0.52)),
    path('M400 240L356 624H282Q360 470 400 240z', lighter(tone, 0.26)),
    path('M400 240L470 624H560Q450 470 400 240z', lighter(tone, 0.16)),
    line('M400 240L410 624', colour('oak'), 9),
    line('M400 240L690 624', colour(second), 7),
    line('M400 240L250 250', colour(second), 7),
    line('M690 624L740 636M180 624L140 640', darker('oat', 0.4), 5),
  ].join('')
}

/** A bag rolled up, and a strip of its lining. */
export function sleepingBag(look: Gear): Piece {
  const { tone, second = 'honey' } = look
  const body =
    'M232 400C232 352 262 330 300 330H560C620 330 640 400 640 486S620 640 560 640H300C262 640 232 610 232 560z'
  return [
    ellipse(430, 640, 280, 40, 'url(#shadow)'),
    solid(body, tone, 'flat'),
    line('M390 332Q372 480 390 638M500 332Q482 480 500 638', darker(tone, 0.3), 5, 'opacity=".5"'),
    solid('M330 330h34v310h-34zM446 330h34v310h-34z', second, 'flat'),
    ellipse(286, 485, 92, 155, darker(tone, 0.2)),
    ellipse(280, 485, 92, 155, lighter(tone, 0.12)),
    ellipse(280, 485, 70, 122, colour(second)),
    ellipse(280, 485, 56, 98, lighter(tone, 0.12)),
    ellipse(280, 485, 38, 70, colour(second)),
    ellipse(280, 485, 22, 42, darker(tone, 0.2)),
  ].join('')
}

export function mat(look: Gear): Piece {
  const { tone, second = 'slate' } = look
  const pads = [0, 1, 2, 3, 4, 5]
    .map((index) => solid(rounded(300 + index * 62, 560, 58, 68, 24), index % 2 ? tone : second, 'flat'))
    .join('')
  return [
    ellipse(430, 636, 300, 36, 'url(#shadow)'),
    pads,
    ellipse(262, 540, 112, 100, darker(tone, 0.2)),
    ellipse(258, 532, 112, 100, colour(tone)),
    [88, 62, 38, 16]
      .map((radius, index) => ellipse(258, 532, radius, radius * 0.9, index % 2 ? colour(tone) : lighter(second, 0.25)))
      .join(''),
    solid(rounded(214, 424, 26, 222, 8), 'charcoal', 'flat'),
  ].join('')
}

export function backpack(look: Gear & { readonly shape?: 'roll' | 'daypack' | 'trekking' }): Piece {
  const { tone, second = 'walnut', shape = 'daypack' } = look
  const tall = shape === 'trekking'
  const top = tall ? 210 : 270
  const body = `M272 ${top + 80}Q272 ${top} 350 ${top}H450Q528 ${top} 528 ${top + 80}L542 590Q542 640 490 640H310Q258 640 258 590z`
  return [
    shadow(400, 170),
    line(`M356 ${top + 6}Q356 ${top - 56} 400 ${top - 56}T444 ${top + 6}`, darker(second, 0.1), 16),
    solid('M262 440Q222 450 226 540T262 610zM538 440Q578 450 574 540T538 610z', darker(tone, 0.16)),
    solid(body, tone),
    shape === 'roll'
      ? solid(`M262 ${top - 20}h276q16 0 16 22v40q0 22 -16 22H262q-16 0 -16 -22v-40q0 -22 16 -22z`, darker(tone, 0.1)) +
        line(`M330 ${top + 60}V${top + 190}M470 ${top + 60}V${top + 190}`, colour(second), 18)
      : solid(
          `M262 ${top + 60}Q262 ${top - 6} 350 ${top - 6}H450Q538 ${top - 6} 538 ${top + 60}V${top + 120}Q400 ${top + 176} 262 ${top + 120}z`,
          lighter(tone, 0.08),
        ) + line(`M400 ${top + 140}V${top + 190}`, colour(second), 20),
    solid(rounded(300, 462, 200, 140, 28), lighter(tone, 0.1)),
    line('M318 494H482', darker(tone, 0.4), 5),
    solid(rounded(386, 486, 28, 30, 6), second),
    tall
      ? solid(rounded(250, 176, 300, 62, 30), second) + line('M310 178V238M490 178V238', colour('charcoal'), 12)
      : '',
  ].join('')
}

export function tote(look: Gear & { readonly print?: 'mountain' | 'stripe' | 'leaf' }): Piece {
  const { tone, second = 'walnut', print = 'mountain' } = look
  const bag = 'M238 340H562L590 600Q592 640 552 640H248Q208 640 210 600z'
  const prints = {
    mountain:
      path('M290 560L368 430L410 496L448 448L512 560z', colour(second)) +
      ellipse(470, 420, 24, 24, lighter(second, 0.35)),
    stripe: path('M200 470h400v46h-400zM200 536h400v18h-400z', colour(second)),
    leaf:
      path('M400 570C330 540 330 450 400 410C470 450 470 540 400 570z', colour(second)) +
      line('M400 590V430M400 520L366 490M400 520L434 490', lighter(tone, 0.2), 5),
  }
  return [
    shadow(400, 185),
    line('M308 350C308 190 492 190 492 350', darker(tone, 0.3), 22),
    solid(bag, tone),
    inside('tote', bag, prints[print]),
    line('M326 352C326 214 474 214 474 352', colour(tone), 22),
    line('M240 364H560', darker(tone, 0.3), 4, 'stroke-dasharray="10 10" opacity=".6"'),
  ].join('')
}

const flask = (profile: Turned['profile'], tone: Tone): Piece =>
  turned({ profile, tone, inner: false, tilt: 0.14, name: 'flask' })

export function bottle(look: Gear & { readonly wide?: boolean }): Piece {
  const { tone, second = 'steel', wide = false } = look
  const half = wide ? 104 : 84
  return [
    shadow(400, half * 1.15),
    flask(
      [
        [0, half - 6],
        [14, half],
        [260, half],
        [320, half * 0.62],
        [346, half * 0.58],
      ],
      tone,
    ),
    solid(
      `M${400 - half * 0.66} 296v-52q0 -20 20 -20h${half * 1.32 - 40}q20 0 20 20v52Q400 312 ${400 - half * 0.66} 296z`,
      second,
    ),
    line('M366 226Q366 178 400 178T434 226', darker(second, 0.15), 13),
    path(
      `M${400 - half} 470Q400 500 ${400 + half} 470V530Q400 562 ${400 - half} 530z`,
      lighter(tone, 0.2),
      'opacity=".75"',
    ),
    path('M376 528L396 494L408 510L416 502L430 530z', darker(tone, 0.3), 'opacity=".8"'),
  ].join('')
}

/** A pot over a small flame. */
export function stove(look: Gear): Piece {
  const { tone, second = 'steel' } = look
  return [
    shadow(400, 170),
    line('M330 560L270 636M470 560L530 636M400 560V640', darker(second, 0.25), 14),
    path('M352 556c-6 -34 20 -40 24 -66c18 22 30 12 28 -10c28 20 50 44 40 76z', '#e9a23f') +
      path('M378 556c-2 -20 12 -24 16 -38c12 14 26 18 24 38z', '#fbe3a4'),
    ellipse(400, 560, 84, 15, darker(second, 0.3)),
    turned({
      foot: 480,
      tilt: 0.13,
      name: 'pot',
      tone,
      profile: [
        [0, 128],
        [14, 146],
        [150, 148],
      ],
      inner: false,
    }),
    ellipse(400, 330, 150, 22, darker(tone, 0.22)),
    ellipse(400, 322, 150, 22, lighter(tone, 0.25)),
    solid('M380 318q-4 -34 20 -34t20 34q-20 8 -40 0z', 'charcoal'),
    line('M546 380Q640 372 676 350', darker(second, 0.3), 18) +
      line('M596 376Q650 368 676 350', colour('charcoal'), 24),
  ].join('')
}

export function lantern(look: Gear): Piece {
  const { tone, second = 'brass' } = look
  return [
    shadow(400, 120),
    line('M292 372C292 190 508 190 508 372', darker(second, 0.1), 11),
    ellipse(400, 450, 210, 200, '#f9e0a0', 'opacity=".3"'),
    solid('M310 590H490L510 640H290z', tone),
    path('M322 400Q322 360 400 360T478 400L490 590H310z', '#fdf1cf'),
    path('M322 400Q322 360 400 360T478 400L490 590H310z', 'url(#round)'),
    path('M400 572c-26 -8 -24 -40 0 -66c24 26 26 58 0 66z', '#eeb04c') +
      path('M400 570c-12 -4 -12 -20 0 -34c12 14 12 30 0 34z', '#fff3cf'),
    line('M348 364L336 590M452 364L464 590', darker(second, 0.1), 7),
    solid('M318 366Q318 300 400 292T482 366Q400 384 318 366z', tone),
    solid(rounded(372, 268, 56, 32, 12), second),
  ].join('')
}

export function headlamp(look: Gear): Piece {
  const { tone, second = 'charcoal' } = look
  return [
    ellipse(410, 600, 250, 40, 'url(#shadow)'),
    path('M500 470L760 380V600z', '#f9e3ab', 'opacity=".5"'),
    line('M400 560C190 560 150 300 300 270S560 340 520 420', darker(tone, 0.3), 46),
    line('M400 560C190 560 150 300 300 270S560 340 520 420', colour(tone), 40),
    line('M400 560C190 560 150 300 300 270S560 340 520 420', lighter(tone, 0.4), 5, 'stroke-dasharray="16 14"'),
    solid(rounded(390, 420, 150, 150, 34), second),
    ellipse(478, 495, 52, 52, lighter('steel', 0.3)),
    ellipse(478, 495, 40, 40, '#fdf3d3'),
    ellipse(466, 482, 12, 12, '#fff'),
  ].join('')
}

export function hammock(look: Gear): Piece {
  const { tone, second = 'oat' } = look
  const bed = 'M130 330Q400 720 670 330Q400 520 130 330z'
  return [
    ellipse(400, 650, 240, 30, 'url(#shadow)'),
    solid('M70 150h44v500h-44zM686 150h44v500h-44z', 'walnut'),
    line('M100 280L136 332M700 280L664 332M100 290L150 344M700 290L650 344', darker('oat', 0.35), 6),
    path(bed, colour(tone)),
    inside(
      'bed',
      bed,
      [0, 1, 2, 3]
        .map((index) =>
          line(`M120 ${352 + index * 40}Q400 ${620 + index * 42} 680 ${352 + index * 40}`, colour(second), 13),
        )
        .join(''),
    ),
    path(bed, 'url(#flat)'),
    line(
      curve([
        [130, 330],
        [260, 430],
        [400, 470],
        [540, 430],
        [670, 330],
      ]),
      lighter(tone, 0.3),
      7,
    ),
  ].join('')
}

/** A folded map with a way across the hills. */
export function map(look: Gear): Piece {
  const { tone, second = 'terracotta' } = look
  const sheet = 'M180 300L330 256L470 300L620 256V590L470 634L330 590L180 634z'
  return [
    ellipse(410, 640, 260, 34, 'url(#shadow)'),
    path(sheet, lighter(tone, 0.55)),
    inside(
      'sheet',
      sheet,
      [
        ...[0, 1, 2, 3].map((index) =>
          line(
            `M160 ${400 + index * 54}Q270 ${330 + index * 44} 380 ${410 + index * 44}T640 ${372 + index * 50}`,
            colour(tone),
            5,
            'opacity=".8"',
          ),
        ),
        path('M180 560Q300 500 380 560T640 520V660H180z', lighter('sky', 0.1), 'opacity=".7"'),
        line('M230 540Q280 440 360 470T460 390T560 330', colour(second), 9, 'stroke-dasharray="2 19"'),
        path('M560 330c-30 -40 -22 -66 0 -66s30 26 0 66z', colour(second)),
      ].join(''),
    ),
    path('M180 300L330 256V590L180 634zM470 300L620 256V590L470 634z', '#fff', 'opacity=".2"'),
    path('M330 256L470 300V634L330 590z', '#2b2530', 'opacity=".07"'),
  ].join('')
}

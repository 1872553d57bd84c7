// A QR code of bytes with error correction M, versions 1 to 13: 331 bytes, the maximum of a code for a bank transfer.
// @see ISO/IEC 18004

/** Error correction codewords per block, and number of blocks, by version from 1. */
const CHECK_CODEWORDS = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22]
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9]

type Matrix = boolean[][]

/** The modules of a code, dark ones true, row by row. Throws if the text is too long. */
export function qrCode(text: string): readonly (readonly boolean[])[] {
  const bytes = [...Buffer.from(text, 'utf8')]
  const version = BLOCKS.findIndex((_, index) => capacityOf(index + 1) >= bytes.length) + 1
  if (version === 0) throw new RangeError('too long for a QR code')
  return draw(version, withChecks(dataOf(bytes, version), version))
}

function rawCodewords(version: number): number {
  const aligned = version >= 2 ? Math.floor(version / 7) + 2 : 0
  const patterns = version >= 2 ? (25 * aligned - 10) * aligned - 55 : 0
  return Math.floor(((16 * version + 128) * version + 64 - patterns - (version >= 7 ? 36 : 0)) / 8)
}

function dataCodewords(version: number): number {
  return rawCodewords(version) - CHECK_CODEWORDS[version - 1]! * BLOCKS[version - 1]!
}

function lengthBits(version: number): number {
  return version < 10 ? 8 : 16
}

/** Mode and length come before the bytes. */
function capacityOf(version: number): number {
  return Math.floor((dataCodewords(version) * 8 - 4 - lengthBits(version)) / 8)
}

function dataOf(bytes: readonly number[], version: number): number[] {
  const bits = (value: number, length: number) => value.toString(2).padStart(length, '0')
  const stream = `0100${bits(bytes.length, lengthBits(version))}${bytes.map((byte) => bits(byte, 8)).join('')}0000`
  const whole = stream.slice(0, dataCodewords(version) * 8)
  const data = whole
    .padEnd(Math.ceil(whole.length / 8) * 8, '0')
    .match(/.{8}/g)!
    .map((byte) => Number.parseInt(byte, 2))
  for (let pad = 0xec; data.length < dataCodewords(version); pad ^= 0xec ^ 0x11) data.push(pad)
  return data
}

/** Product in GF(2⁸) modulo x⁸ + x⁴ + x³ + x² + 1. */
function times(one: number, other: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1)
    product = (product << 1) ^ ((product >>> 7) * 0x11d) ^ (((other >>> bit) & 1) * one)
  return product
}

function checksOf(data: readonly number[], count: number): number[] {
  const divisor: number[] = Array.from({ length: count }, (_, index) => (index === count - 1 ? 1 : 0))
  for (let root = 1, step = 0; step < count; step += 1, root = times(root, 2)) {
    for (let index = 0; index < count; index += 1)
      divisor[index] = times(divisor[index]!, root) ^ (divisor[index + 1] ?? 0)
  }
  return data.reduce<number[]>((rest, byte) => {
    const factor = byte ^ rest[0]!
    return [...rest.slice(1), 0].map((each, index) => each ^ times(divisor[index]!, factor))
  }, Array(count).fill(0))
}

/** The blocks with their checks, interleaved. The last blocks are one longer where they do not divide evenly. */
function withChecks(data: readonly number[], version: number): number[] {
  const [blocks, checks] = [BLOCKS[version - 1]!, CHECK_CODEWORDS[version - 1]!]
  const short = Math.floor(data.length / blocks)
  const shortBlocks = blocks - (data.length % blocks)
  const parts = Array.from({ length: blocks }, (_, index) => {
    const start = index * short + Math.max(0, index - shortBlocks)
    return data.slice(start, start + short + (index >= shortBlocks ? 1 : 0))
  })
  const interleaved = (rows: readonly (readonly number[])[], length: number) =>
    Array.from({ length }, (_, column) => rows.flatMap((row) => row[column] ?? [])).flat()
  return [
    ...interleaved(parts, short + 1),
    ...interleaved(
      parts.map((part) => checksOf(part, checks)),
      checks,
    ),
  ]
}

/** Draw the code, always with the chessboard mask: readers accept any mask, and this one leaves no large areas. */
function draw(version: number, codewords: readonly number[]): Matrix {
  const size = version * 4 + 17
  const dark: Matrix = Array.from({ length: size }, () => Array(size).fill(false))
  const fixed: Matrix = Array.from({ length: size }, () => Array(size).fill(false))
  const put = (x: number, y: number, isDark: boolean) => {
    if (dark[y]?.[x] === undefined) return
    dark[y]![x] = isDark
    fixed[y]![x] = true
  }
  drawPatterns(version, size, put)
  drawFormat(version, size, put)
  let bit = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step += 1) {
      const y = ((right + 1) & 2) === 0 ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (fixed[y]![x]) continue
        const value = (((codewords[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1
        dark[y]![x] = value !== ((x + y) % 2 === 0)
        bit += 1
      }
    }
  }
  return dark
}

type Put = (x: number, y: number, isDark: boolean) => void

function drawPatterns(version: number, size: number, put: Put): void {
  for (let at = 0; at < size; at += 1) {
    put(6, at, at % 2 === 0)
    put(at, 6, at % 2 === 0)
  }
  const squares = (centerX: number, centerY: number, reach: number, isDark: (distance: number) => boolean) => {
    for (let dy = -reach; dy <= reach; dy += 1)
      for (let dx = -reach; dx <= reach; dx += 1)
        put(centerX + dx, centerY + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))))
  }
  const corners = [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const
  for (const [x, y] of corners) squares(x, y, 4, (distance) => distance !== 2 && distance !== 4)
  const centers = alignmentOf(version, size)
  for (const x of centers)
    for (const y of centers) {
      const isCorner = corners.some(([cornerX, cornerY]) => Math.abs(cornerX - x) < 5 && Math.abs(cornerY - y) < 5)
      if (!isCorner) squares(x, y, 2, (distance) => distance !== 1)
    }
}

function alignmentOf(version: number, size: number): readonly number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, index) => size - 7 - index * step)]
}

/** Error correction M and the mask, with their checks. */
const FORMAT = 0x5412

/** The format, twice; from version 7 on the version, twice. */
function drawFormat(version: number, size: number, put: Put): void {
  for (let index = 0; index < 15; index += 1) {
    const isDark = ((FORMAT >>> index) & 1) === 1
    const [x, y] = index < 6 ? [8, index] : index < 8 ? [8, index + 1] : index === 8 ? [7, 8] : [14 - index, 8]
    put(x!, y!, isDark)
    if (index < 8) put(size - 1 - index, 8, isDark)
    else put(8, size - 15 + index, isDark)
  }
  put(8, size - 8, true)
  if (version < 7) return
  let checks = version
  for (let step = 0; step < 12; step += 1) checks = (checks << 1) ^ ((checks >>> 11) * 0x1f25)
  const bits = checks | (version << 12)
  for (let index = 0; index < 18; index += 1) {
    const isDark = ((bits >>> index) & 1) === 1
    const [near, far] = [Math.floor(index / 3), size - 11 + (index % 3)]
    put(far, near, isDark)
    put(near, far, isDark)
  }
}

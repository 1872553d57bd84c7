/** The order and the directives of test files. Pure. */
import { createHash } from 'node:crypto'

/** A random order that a seed repeats: by the hash of seed and name. */
export function shuffled(files, seed) {
  const rank = ({ file }) => createHash('sha256').update(`${seed} ${file}`).digest('hex')
  return files
    .map((each) => ({ each, rank: rank(each) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .map(({ each }) => each)
}

/** Every n-th file: `2/3` begins with the second. */
export function shardOf(files, shard) {
  const [, index, total] = /^(\d+)\/(\d+)$/.exec(shard) ?? []
  if (!(index >= 1 && Number(index) <= Number(total))) throw new Error(`--shard=1/3, not ${shard}`)
  return files.filter((_, position) => position % total === index - 1)
}

/**
 * The directives in the first line of a file. `// test: alone` gives it a process to itself, since it changes what a process
 * has once; `// test: long` starts it before the others; both may be combined, with a reason after a colon.
 */
export function directivesOf(source) {
  const [, words = ''] = /^\/\/ test: ([a-z, ]+)/.exec(source) ?? []
  return { isAlone: /\balone\b/.test(words), isLong: /\blong\b/.test(words) }
}

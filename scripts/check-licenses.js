/**
 * Compares the licenses of what a release installs with the allowed set: `npm run check -- licenses`.
 *
 *   node scripts/check-licenses.js          fails for what is not allowed
 *   node scripts/check-licenses.js --list   lists each package with its license
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const ALLOWED = /^(MIT|MIT-0|ISC|BSD-2-Clause|BSD-3-Clause|0BSD|Apache-2\.0|BlueOak-1\.0\.0|Zlib)$/
/** A library that is loaded separately, and can be replaced. */
const LIBRARY = { name: /^@img\/sharp-/, license: /^LGPL-3\.0-or-later$/ }
/** Packages whose manifest does not name a license correctly, with the license in the package. */
const READ = {
  'dejavu-fonts-ttf': 'Bitstream Vera and Arev fonts: free to use and embed',
  'png-js': 'MIT',
}

const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'))
const installed = Object.entries(packages)
  .filter(([path, each]) => path.includes('node_modules/') && !each.dev && !each.link)
  .map(([path, { license, version }]) => ({ name: path.split('node_modules/').at(-1), license, version }))

if (process.argv.includes('--list')) {
  for (const { name, version, license } of installed) console.log(`${name}@${version}: ${READ[name] ?? license}`)
} else {
  const refused = installed.filter((each) => !isAllowed(each))
  for (const { name, license } of refused)
    console.error(`${name}: ${license ?? 'no license'} is not in the allowed set.`)
  if (refused.length > 0) process.exitCode = 1
}

/** Each part of `A AND B`; any of `A OR B`. */
function isAllowed({ name, license = '' }) {
  if (name in READ) return true
  const isFine = (part) => ALLOWED.test(part) || (LIBRARY.name.test(name) && LIBRARY.license.test(part))
  return license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every(isFine))
}

import { join } from 'node:path'
import { importRules, importViolations } from './import-graph.ts'

/** Prints each import that breaks a rule, with the rule's reason. Exits with 1 if there is one. */

const { modules, violations } = await importViolations(join(import.meta.dirname, '..'))

for (const rule of importRules) {
  const broken = violations.filter((violation) => violation.rule === rule.name)
  if (broken.length === 0) continue
  console.error(`${rule.name}: ${rule.comment}`)
  for (const { from, to } of broken) console.error(`  ${from} → ${to}`)
}
console.log(`${modules} files, ${importRules.length} rules, ${violations.length} violations`)
process.exitCode = violations.length > 0 ? 1 : 0

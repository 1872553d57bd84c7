import { type BootstrapDeps, getBootstrap } from './operations/getBootstrap.ts'
import { getRuntimeConfig, type RuntimeFacts } from './operations/getRuntimeConfig.ts'
import { getStoreDecoration } from './operations/getStoreDecoration.ts'
import { listContactChannels } from './operations/listContactChannels.ts'
import { listLegalDocuments } from './operations/listLegalDocuments.ts'

/** The five operations that say what the site is. */
export function storefrontOperations(parts: RuntimeFacts & BootstrapDeps) {
  return {
    getBootstrap: getBootstrap(parts),
    getRuntimeConfig: getRuntimeConfig(parts),
    listLegalDocuments,
    listContactChannels,
    getStoreDecoration,
  }
}
